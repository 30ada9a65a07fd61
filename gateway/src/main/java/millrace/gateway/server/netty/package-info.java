/**
 * Listens, and guards a connection below its requests: deadlines, framing, one request at a time,
 * and a close that clients can read through.
 */
@NullMarked
package millrace.gateway.server.netty;

import org.jspecify.annotations.NullMarked;
