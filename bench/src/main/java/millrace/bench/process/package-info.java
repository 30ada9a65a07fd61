/** Runs the processes that are measured, and puts load on them. */
@NullMarked
package millrace.bench.process;

import org.jspecify.annotations.NullMarked;
