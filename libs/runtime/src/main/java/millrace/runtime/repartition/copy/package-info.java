/** Copies a topic to one of another number of partitions, and compares what was written with what was read. */
@NullMarked
package millrace.runtime.repartition.copy;

import org.jspecify.annotations.NullMarked;
