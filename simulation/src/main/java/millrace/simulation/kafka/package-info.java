/**
 * A model of a Kafka cluster and of its clients, on simulated time: each request takes a time that is drawn from the
 * seed, the broker may be unavailable, and answers may be lost. The same tests hold the model and a real broker to what
 * services rely on.
 */
@NullMarked
package millrace.simulation.kafka;

import org.jspecify.annotations.NullMarked;
