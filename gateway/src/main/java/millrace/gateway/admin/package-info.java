/** The API of operators, on a port of its own: accounts, reports, usage, data and processes. */
@NullMarked
package millrace.gateway.admin;

import org.jspecify.annotations.NullMarked;
