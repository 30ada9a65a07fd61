/** The kinds of errors that both APIs answer. */
@NullMarked
package millrace.gateway.problems;

import org.jspecify.annotations.NullMarked;
