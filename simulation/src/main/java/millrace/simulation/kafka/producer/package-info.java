/**
 * A model of Kafka's producer on simulated time. It sends one request at a time, and has no limit of waiting records.
 */
@NullMarked
package millrace.simulation.kafka.producer;

import org.jspecify.annotations.NullMarked;
