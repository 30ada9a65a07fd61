/** Runs the services of one simulation as its plan says, checks the invariants, and shortens the plan of a seed that fails. */
@NullMarked
package millrace.simulation.world;

import org.jspecify.annotations.NullMarked;
