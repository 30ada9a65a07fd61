/**
 * A Kafka cluster as its clients see it: one broker that never loses acknowledged records. Events of the simulation
 * call its methods when requests arrive; errors of Kafka's protocol are exceptions.
 *
 * <p>Modelled: logs in which transaction markers take offsets too, the last stable offset, fencing and timeouts of
 * transactional producers, repeated requests of idempotent producers, and pending offsets. Markers are written some
 * time after the transaction has ended, partition by partition. Not modelled: replication, retention and compaction,
 * leader changes, quotas, limits of size, and members that are asked to choose an id before they join.
 */
@NullMarked
package millrace.simulation.kafka.broker;

import org.jspecify.annotations.NullMarked;
