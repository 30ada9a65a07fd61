/** Runs the services of one simulation by its plan, checks the invariants, and shortens the plan of a failing seed. */
@NullMarked
package millrace.simulation.world;

import org.jspecify.annotations.NullMarked;
