/** A processor as it runs in production: the ledger and the render workers share one process, and a supervisor starts it again. */
@NullMarked
package millrace.simulation.processor;

import org.jspecify.annotations.NullMarked;
