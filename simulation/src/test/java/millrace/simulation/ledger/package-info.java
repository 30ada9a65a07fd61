@NullMarked
package millrace.simulation.ledger;

import org.jspecify.annotations.NullMarked;
