/** The ledger's state: several kinds of values in one Kafka Streams store, with a changelog topic. */
@NullMarked
package millrace.processor.ledger.state;

import org.jspecify.annotations.NullMarked;
