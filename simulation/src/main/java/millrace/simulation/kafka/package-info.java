/** A model of a Kafka cluster and of its clients, on simulated time. */
@NullMarked
package millrace.simulation.kafka;

import org.jspecify.annotations.NullMarked;
