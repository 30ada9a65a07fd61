/** Starts the notifier, runs it again after errors of Kafka, and ends it. */
@NullMarked
package millrace.notifier.bootstrap;

import org.jspecify.annotations.NullMarked;
