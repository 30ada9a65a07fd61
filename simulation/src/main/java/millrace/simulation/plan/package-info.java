/** What happens in one simulation, as it follows from a seed. */
@NullMarked
package millrace.simulation.plan;

import org.jspecify.annotations.NullMarked;
