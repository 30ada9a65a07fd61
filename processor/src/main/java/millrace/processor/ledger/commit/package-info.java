/** When a stream thread commits its transaction. All that is assumed of the inner workings of Kafka Streams is here. */
@NullMarked
package millrace.processor.ledger.commit;

import org.jspecify.annotations.NullMarked;
