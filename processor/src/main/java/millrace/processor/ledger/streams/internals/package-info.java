/**
 * What relies on how Kafka Streams works inside. docs/reference/kafka-streams.md says of each assumption what to do if a
 * version of Streams changes it; {@code StreamsContractIT} fails then.
 */
@NullMarked
package millrace.processor.ledger.streams.internals;

import org.jspecify.annotations.NullMarked;
