/**
 * Runs the topology: the configuration of Kafka Streams and RocksDB, and the checks of local and changelog state at a
 * start.
 */
@NullMarked
package millrace.processor.ledger.streams;

import org.jspecify.annotations.NullMarked;
