/** Streams what happens to an account to its clients, as server-sent events. */
@NullMarked
package millrace.gateway.api.events;

import org.jspecify.annotations.NullMarked;
