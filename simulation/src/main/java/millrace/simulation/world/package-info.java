/**
 * One run of the simulation: what clients ask for and what goes wrong follows from the seed as a {@link millrace.simulation.world.Plan},
 * and invariants are checked after every step.
 */
@NullMarked
package millrace.simulation.world;

import org.jspecify.annotations.NullMarked;
