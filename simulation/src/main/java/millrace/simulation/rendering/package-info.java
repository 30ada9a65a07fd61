/** Runs the real render workers; a simulated renderer stands in for warehouse, formats and report store. */
@NullMarked
package millrace.simulation.rendering;

import org.jspecify.annotations.NullMarked;
