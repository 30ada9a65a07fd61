package millrace.simulation.kafka.broker;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a fetch found in a partition.
 *
 * @param from the offset that was asked for
 * @param next the offset to go on from; markers and aborted records lie between
 */
public record FetchResult(long from, List<ConsumerRecord<String, byte[]>> records, long next) {}
