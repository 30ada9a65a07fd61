/** Files of a few bytes that other files depend on: pointers, marks, secrets. */
@NullMarked
package millrace.control;

import org.jspecify.annotations.NullMarked;
