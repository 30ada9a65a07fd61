/**
 * Publishes for each dataset what gateways and clients have to know of its current version: an example query, facts
 * and names of entities. Switches versions when an operator asks.
 */
@NullMarked
package millrace.processor.data.examples;

import org.jspecify.annotations.NullMarked;
