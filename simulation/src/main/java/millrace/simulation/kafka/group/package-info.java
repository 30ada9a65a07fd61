/**
 * The coordinator of consumer groups: the classic protocol with static members, and offsets. As in Kafka, the leading
 * member assigns the partitions, with Kafka's assignors.
 */
@NullMarked
package millrace.simulation.kafka.group;

import org.jspecify.annotations.NullMarked;
