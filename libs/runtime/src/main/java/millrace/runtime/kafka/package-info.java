/**
 * Creates and checks topics, reads topics without a consumer group, writes to them periodically, and
 * checks whether Kafka is available.
 */
@NullMarked
package millrace.runtime.kafka;

import org.jspecify.annotations.NullMarked;
