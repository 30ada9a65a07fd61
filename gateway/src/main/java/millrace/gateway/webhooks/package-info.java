/** What became of webhooks, as far back as it is kept: a compact index in memory, and the records in Kafka that it points to. */
@NullMarked
package millrace.gateway.webhooks;

import org.jspecify.annotations.NullMarked;
