/**
 * Decides what is sent to an endpoint and when: order, retries, circuit breaker, rate, and what is held in memory.
 * Pure: no Kafka, clock or I/O.
 */
@NullMarked
package millrace.notifier.endpoint;

import org.jspecify.annotations.NullMarked;
