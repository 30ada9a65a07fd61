/** Changes the number of partitions of all topics while no service runs: what it does in which order, and how it goes on or back. */
@NullMarked
package millrace.runtime.repartition.run;

import org.jspecify.annotations.NullMarked;
