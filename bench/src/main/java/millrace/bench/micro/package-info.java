/**
 * Benchmarks of the pure parts, which {@link MicroBench} runs. JMH needs public classes with their
 * state in fields.
 */
@NullMarked
package millrace.bench.micro;

import org.jspecify.annotations.NullMarked;
