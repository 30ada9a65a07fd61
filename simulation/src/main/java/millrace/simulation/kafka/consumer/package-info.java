/** A model of Kafka's classic consumer on simulated time. */
@NullMarked
package millrace.simulation.kafka.consumer;

import org.jspecify.annotations.NullMarked;
