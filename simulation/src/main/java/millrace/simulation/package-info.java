/** Runs the ledger, the render workers and the notifier on a simulated Kafka, clock and scheduler, driven by one seed. */
@NullMarked
package millrace.simulation;

import org.jspecify.annotations.NullMarked;
