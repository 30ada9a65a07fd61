@NullMarked
package millrace.simulation.invariants;

import org.jspecify.annotations.NullMarked;
