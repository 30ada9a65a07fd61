/**
 * A model of the parts of Kafka Streams that the ledger uses: one thread per process runs the real account steps,
 * commits exactly once, is fenced, restores state from the changelog, and gives up tasks in rebalances. Not modelled
 * are several threads, standby tasks, local state that outlives a task, compaction of the changelog, and the background
 * restore of Streams 4. The contract test compares the model to Kafka Streams on a real broker.
 */
@NullMarked
package millrace.simulation.ledger;

import org.jspecify.annotations.NullMarked;
