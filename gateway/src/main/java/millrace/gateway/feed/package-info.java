/** Streams what happens to an account to its clients, as server-sent events. */
@NullMarked
package millrace.gateway.feed;

import org.jspecify.annotations.NullMarked;
