@NullMarked
package millrace.simulation.world;

import org.jspecify.annotations.NullMarked;
