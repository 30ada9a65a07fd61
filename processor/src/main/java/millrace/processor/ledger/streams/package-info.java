/**
 * Runs the ledger on Kafka Streams: the topology, the step of an account, transactions and their commits, and the
 * checks of local state at a start. What relies on how Streams works inside is in {@code internals}.
 */
@NullMarked
package millrace.processor.ledger.streams;

import org.jspecify.annotations.NullMarked;
