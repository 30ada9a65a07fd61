/** Checks that hold after every step of a simulation. */
@NullMarked
package millrace.simulation.invariants;

import org.jspecify.annotations.NullMarked;
