/**
 * A model of a Kafka cluster and its clients on simulated time. Each request takes a time drawn from the seed, the
 * broker may be unavailable, and answers may be lost. The contract tests run on the model and on a real broker.
 */
@NullMarked
package millrace.simulation.kafka;

import org.jspecify.annotations.NullMarked;
