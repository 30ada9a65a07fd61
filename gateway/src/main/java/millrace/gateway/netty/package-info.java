/** Listens, and guards a connection below its requests: deadlines, framing, one request at a time, and how it is closed. */
@NullMarked
package millrace.gateway.netty;

import org.jspecify.annotations.NullMarked;
