/**
 * Sends webhooks over HTTP/1.1 with Netty: one signed POST with one deadline, from the lookup of the
 * host on, on reused connections.
 */
@NullMarked
package millrace.webhook.http;

import org.jspecify.annotations.NullMarked;
