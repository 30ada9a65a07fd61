/**
 * Decides when a stream thread commits its transaction. All assumptions about the internals of Kafka Streams are here.
 */
@NullMarked
package millrace.processor.ledger.commit;

import org.jspecify.annotations.NullMarked;
