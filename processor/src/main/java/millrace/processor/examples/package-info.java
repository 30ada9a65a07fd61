/**
 * Finds, in the current data of each dataset, a query that has rows, and tells the gateways, whose documentation
 * shows it.
 */
@NullMarked
package millrace.processor.examples;

import org.jspecify.annotations.NullMarked;
