/**
 * Finds a query that has rows in the current data of each dataset, and publishes it for the API documentation of the
 * gateways.
 */
@NullMarked
package millrace.processor.examples;

import org.jspecify.annotations.NullMarked;
