/** The API of operators, on a port of its own, and the terminal command that speaks to it. */
@NullMarked
package millrace.gateway.admin;

import org.jspecify.annotations.NullMarked;
