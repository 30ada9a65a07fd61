package millrace.simulation.kafka.broker;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The records that a fetch returned of a partition.
 *
 * @param from the requested offset
 * @param next the offset of the next fetch; markers and aborted records may be before it
 */
public record FetchResult(long from, List<ConsumerRecord<String, byte[]>> records, long next) {}
