/** Kafka's producer, rebuilt on simulated time: one request at a time, and no limit to what waits. */
@NullMarked
package millrace.simulation.kafka.producer;

import org.jspecify.annotations.NullMarked;
