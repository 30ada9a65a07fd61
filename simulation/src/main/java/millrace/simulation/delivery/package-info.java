/** Runs the real notifier in simulated processes, with simulated receivers of webhooks. */
@NullMarked
package millrace.simulation.delivery;

import org.jspecify.annotations.NullMarked;
