/** What {@code millrace-admin repartition} has done to the topics, as it is written in Kafka: it and all services read it. */
@NullMarked
package millrace.runtime.repartition;

import org.jspecify.annotations.NullMarked;
