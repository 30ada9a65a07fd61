/**
 * The coordinator of consumer groups: the classic protocol, with static members, and offsets. The member that leads
 * assigns the partitions, by Kafka's own assignors, as in reality.
 */
@NullMarked
package millrace.simulation.kafka.group;

import org.jspecify.annotations.NullMarked;
