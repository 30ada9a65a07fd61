/** Processes to measure, and load on them. */
@NullMarked
package millrace.bench.process;

import org.jspecify.annotations.NullMarked;
