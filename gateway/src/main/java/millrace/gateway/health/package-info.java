/** Decides whether this gateway can serve, and answers health checks on both ports. */
@NullMarked
package millrace.gateway.health;

import org.jspecify.annotations.NullMarked;
