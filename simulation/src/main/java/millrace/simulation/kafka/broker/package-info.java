/**
 * A Kafka cluster as its clients see it: one broker that never loses what it has acknowledged. Requests are plain
 * calls, made by events of the simulation when they arrive; they throw the errors of Kafka's protocol as exceptions.
 *
 * <p>Modelled: logs with offsets that transactions' markers take too, the last stable offset, fencing and timeouts of
 * transactional producers, repeated requests of idempotent producers, and pending offsets. Markers are written some
 * time after the transaction has ended, partition by partition. Not modelled: replication, retention and compaction,
 * leader changes, quotas, limits of size, and members that are asked to choose an id before they join.
 */
@NullMarked
package millrace.simulation.kafka.broker;

import org.jspecify.annotations.NullMarked;
