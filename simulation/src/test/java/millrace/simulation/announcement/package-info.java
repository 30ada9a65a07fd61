@NullMarked
package millrace.simulation.announcement;

import org.jspecify.annotations.NullMarked;
