/** The plan of one simulation, which follows from a seed. */
@NullMarked
package millrace.simulation.plan;

import org.jspecify.annotations.NullMarked;
