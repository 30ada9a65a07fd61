@NullMarked
package millrace.simulation.kernel;

import org.jspecify.annotations.NullMarked;
