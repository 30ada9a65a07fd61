/**
 * Makes attempts: starts what is due as far as the caps allow, signs and sends it, decides what follows, and writes
 * that to Kafka.
 */
@NullMarked
package millrace.notifier.sending;

import org.jspecify.annotations.NullMarked;
