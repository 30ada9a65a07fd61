package millrace.simulation.kafka.broker;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A request to append records.
 *
 * @param transaction the producer's number of its transaction; 0 outside of transactions
 * @param sequence the producer's number of the request; a repeated request is stored once
 * @param records with their partitions and timestamps
 */
public record ProduceRequest(
        ProducerIdentity producer, long transaction, long sequence, List<ProducerRecord<String, byte[]>> records) {}
