/** Decides whether this gateway can serve, and says so on both ports. */
@NullMarked
package millrace.gateway.health;

import org.jspecify.annotations.NullMarked;
