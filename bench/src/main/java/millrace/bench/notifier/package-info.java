/** Benchmarks of the notifier. */
@NullMarked
package millrace.bench.notifier;

import org.jspecify.annotations.NullMarked;
