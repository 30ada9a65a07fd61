/** Kafka's classic consumer, rebuilt on simulated time. */
@NullMarked
package millrace.simulation.kafka.consumer;

import org.jspecify.annotations.NullMarked;
