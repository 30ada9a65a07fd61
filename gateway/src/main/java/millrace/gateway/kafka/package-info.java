/** Looks up single facts in Kafka: where partitions end, and records by their offsets. */
@NullMarked
package millrace.gateway.kafka;

import org.jspecify.annotations.NullMarked;
