package millrace.simulation.kafka.broker;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A request to append records.
 *
 * @param transaction number of the producer's transaction, counted by itself; 0 outside of transactions
 * @param sequence number of the request, counted by the producer: what it repeats is stored once
 * @param records with their partitions and timestamps
 */
public record ProduceRequest(
        ProducerIdentity producer, long transaction, long sequence, List<ProducerRecord<String, byte[]>> records) {}
