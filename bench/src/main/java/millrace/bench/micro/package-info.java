/** Benchmarks of the pure parts, run by {@link MicroBench}. JMH wants them public, with state in fields. */
@NullMarked
package millrace.bench.micro;

import org.jspecify.annotations.NullMarked;
