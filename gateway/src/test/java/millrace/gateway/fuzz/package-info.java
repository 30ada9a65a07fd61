/** Requests made from the API's documents and mutated, and what may come back. */
@NullMarked
package millrace.gateway.fuzz;

import org.jspecify.annotations.NullMarked;
