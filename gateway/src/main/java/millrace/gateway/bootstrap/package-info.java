/** Assembles the gateway from its settings, starts it and stops it. */
@NullMarked
package millrace.gateway.bootstrap;

import org.jspecify.annotations.NullMarked;
