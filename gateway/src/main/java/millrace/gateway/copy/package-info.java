/**
 * What this gateway copies from Kafka. This package has what the copies share: the reader of all
 * three, their offsets, the ends of partitions, reading records by offset. Nothing here depends on routes.
 */
@NullMarked
package millrace.gateway.copy;

import org.jspecify.annotations.NullMarked;
