/** What happens to a connection below its requests: deadlines, framing, and how it is closed. */
@NullMarked
package millrace.gateway.connection;

import org.jspecify.annotations.NullMarked;
