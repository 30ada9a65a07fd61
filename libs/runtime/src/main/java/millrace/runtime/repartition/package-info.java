/** What {@code millrace-admin repartition} has written about its progress in Kafka, which it and all services read. */
@NullMarked
package millrace.runtime.repartition;

import org.jspecify.annotations.NullMarked;
