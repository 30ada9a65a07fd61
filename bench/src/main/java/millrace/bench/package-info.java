/** Benchmarks: each a main class, each figure beside something else in the same run. */
@NullMarked
package millrace.bench;

import org.jspecify.annotations.NullMarked;
