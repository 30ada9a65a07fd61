@NullMarked
package millrace.simulation.kafka;

import org.jspecify.annotations.NullMarked;
