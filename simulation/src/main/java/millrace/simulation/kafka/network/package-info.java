/** The network between clients and broker, with its faults. */
@NullMarked
package millrace.simulation.kafka.network;

import org.jspecify.annotations.NullMarked;
