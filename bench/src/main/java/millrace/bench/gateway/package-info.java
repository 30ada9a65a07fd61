/** Benchmarks of the gateway. */
@NullMarked
package millrace.bench.gateway;

import org.jspecify.annotations.NullMarked;
