/**
 * What the data of each dataset hold, as processors publish it: example queries, facts, and the
 * names of the entities.
 */
@NullMarked
package millrace.gateway.datasets;

import org.jspecify.annotations.NullMarked;
