/**
 * A model of a Kafka cluster as its clients see it: one broker that never loses what it has acknowledged. Requests are plain calls, made by events
 * of the simulation when they arrive; they throw the errors of Kafka's protocol as exceptions.
 *
 * <p>Modelled: logs with offsets that transactions' markers take too, last stable offset, fencing and timeouts of transactional producers,
 * repeated requests of idempotent producers, pending offsets, and the classic group protocol with static members. Markers are written some
 * time after the transaction has ended, partition by partition. Not modelled: replication, retention and compaction, leader changes, quotas,
 * limits of size, and the order in which coordinators and partitions of different brokers hear of things beyond what latencies give.
 */
@NullMarked
package millrace.simulation.broker;

import org.jspecify.annotations.NullMarked;
