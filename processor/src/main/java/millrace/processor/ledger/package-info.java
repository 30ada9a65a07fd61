/**
 * The ledger on Kafka Streams: the topology, the step that decides commands, and the records that follow from its
 * decisions.
 */
@NullMarked
package millrace.processor.ledger;

import org.jspecify.annotations.NullMarked;
