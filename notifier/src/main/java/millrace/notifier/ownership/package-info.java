/** Membership in the consumer group: the Kafka clients, the partitions that this notifier owns, and when it pauses them. */
@NullMarked
package millrace.notifier.ownership;

import org.jspecify.annotations.NullMarked;
