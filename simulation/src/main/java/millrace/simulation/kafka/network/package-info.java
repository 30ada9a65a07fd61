/** What lies between clients and broker. */
@NullMarked
package millrace.simulation.kafka.network;

import org.jspecify.annotations.NullMarked;
