/**
 * What services do with Kafka beyond its clients: create and check topics, tail topics without a group, and see whether
 * Kafka is available.
 */
@NullMarked
package millrace.runtime.kafka;

import org.jspecify.annotations.NullMarked;
