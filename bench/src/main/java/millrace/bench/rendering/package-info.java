/** Benchmarks of rendering and imports. */
@NullMarked
package millrace.bench.rendering;

import org.jspecify.annotations.NullMarked;
