/** The real notifier as simulated processes, and the receivers that it delivers to. */
@NullMarked
package millrace.simulation.delivery;

import org.jspecify.annotations.NullMarked;
