/**
 * Runs the ledger on Kafka Streams: the topology, the step of an account, transactions and their commits, and the
 * checks of local state at a start. Everything that relies on the insides of Kafka Streams is here.
 */
@NullMarked
package millrace.processor.ledger.streams;

import org.jspecify.annotations.NullMarked;
