@NullMarked
package millrace.simulation.processor;

import org.jspecify.annotations.NullMarked;
