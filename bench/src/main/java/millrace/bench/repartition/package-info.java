/** The change of the number of partitions. */
@NullMarked
package millrace.bench.repartition;

import org.jspecify.annotations.NullMarked;
