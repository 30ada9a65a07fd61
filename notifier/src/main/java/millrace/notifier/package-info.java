/** Delivers webhooks: from Kafka to the receivers, with what waits for a retry kept in Kafka. */
@NullMarked
package millrace.notifier;

import org.jspecify.annotations.NullMarked;
