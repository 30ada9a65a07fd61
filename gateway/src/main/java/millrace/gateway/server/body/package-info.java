/** Reads request bodies within bounds of size, memory and time. */
@NullMarked
package millrace.gateway.server.body;

import org.jspecify.annotations.NullMarked;
