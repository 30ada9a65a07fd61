/** What many partitions cost. */
@NullMarked
package millrace.bench.partitions;

import org.jspecify.annotations.NullMarked;
