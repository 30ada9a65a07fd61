/**
 * Routes and lookups of what the data of each dataset hold, as processors publish it: example queries, facts, names
 * of entities.
 */
@NullMarked
package millrace.gateway.api.datasets;

import org.jspecify.annotations.NullMarked;
