/**
 * A model of Kafka Streams, as far as the ledger uses it: one thread per process that runs the real account steps, commits exactly once,
 * is fenced, restores state from the changelog, and gives tasks up in rebalances. The model leaves out what the ledger does not use:
 * several threads, standby tasks, local state that outlives a task, compaction of the changelog, and the background restore of
 * Streams 4. Its contract test compares it to Kafka Streams on a real broker.
 */
@NullMarked
package millrace.simulation.ledger;

import org.jspecify.annotations.NullMarked;
