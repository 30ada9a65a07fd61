@NullMarked
package millrace.simulation.delivery;

import org.jspecify.annotations.NullMarked;
