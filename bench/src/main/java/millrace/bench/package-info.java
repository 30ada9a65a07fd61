/** Benchmarks of all of Millrace; those of one part are in the packages below. */
@NullMarked
package millrace.bench;

import org.jspecify.annotations.NullMarked;
