/** Measures Millrace beside a service over PostgreSQL. */
@NullMarked
package millrace.bench.beside;

import org.jspecify.annotations.NullMarked;
