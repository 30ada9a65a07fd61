/**
 * Looks up single facts in Kafka: where partitions end, records by their offsets, and whether topics are those that a
 * database is a copy of.
 */
@NullMarked
package millrace.gateway.kafka;

import org.jspecify.annotations.NullMarked;
