/** Runs the topology: configures Kafka Streams and RocksDB, and checks local state and changelog at a start. */
@NullMarked
package millrace.processor.ledger.streams;

import org.jspecify.annotations.NullMarked;
