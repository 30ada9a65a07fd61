package millrace.gateway.accounts;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** One transaction under an id that is taken from whoever had it. */
final class AccountTransaction implements AutoCloseable {
    private static final int TRANSACTION_MILLIS = 10_000;
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final Producer<String, byte[]> producer;

    private AccountTransaction(Producer<String, byte[]> producer) {
        this.producer = producer;
    }

    /**
     * From its return on those that had the id before have committed, or never will.
     *
     * @param timeout for each step that Kafka has to take
     */
    static AccountTransaction begin(KafkaSettings kafka, String transactionalId, Duration timeout) {
        var transaction = new AccountTransaction(new KafkaProducer<>(
                config(kafka, transactionalId, timeout), new StringSerializer(), new ByteArraySerializer()));
        try {
            transaction.producer.initTransactions();
            return transaction;
        } catch (RuntimeException e) {
            transaction.close();
            throw e;
        }
    }

    /** All of the records, or none. */
    void commit(List<ProducerRecord<String, byte[]>> records) {
        producer.beginTransaction();
        for (ProducerRecord<String, byte[]> record : records) {
            // What fails here fails the commit.
            var unused = producer.send(record);
        }
        producer.commitTransaction();
    }

    @Override
    public void close() {
        producer.close(CLOSING);
    }

    /**
     * Whether another gateway has the id now, so that nothing was written here. A commit just after the other's arrival is answered
     * with an invalid state; one during it with an error that the client does not know, since the broker's coordinator throws
     * (4.3.1: "already a pending state PREPARE_EPOCH_FENCE"). Should such an error ever follow a commit that was made, the change is
     * decided again and found made: each carries an id of its own.
     */
    static boolean fenced(KafkaException error) {
        return endedUnclearly(error)
                || caused(
                        error,
                        List.of(
                                ProducerFencedException.class,
                                InvalidProducerEpochException.class,
                                InvalidTxnStateException.class));
    }

    /** Whether the broker found the time of a record too far ahead of its own, so that nothing was written. */
    static boolean refusedForItsClock(KafkaException error) {
        return caused(error, List.of(InvalidTimestampException.class));
    }

    private static boolean endedUnclearly(KafkaException error) {
        return Stream.<Throwable>iterate(error, e -> e != null, Throwable::getCause)
                .anyMatch(e -> String.valueOf(e.getMessage()).startsWith("Unhandled error in EndTxnResponse"));
    }

    private static boolean caused(KafkaException error, List<Class<? extends KafkaException>> types) {
        return Stream.<Throwable>iterate(error, e -> e != null, Throwable::getCause)
                .anyMatch(e -> types.stream().anyMatch(type -> type.isInstance(e)));
    }

    private static Map<String, Object> config(KafkaSettings kafka, String transactionalId, Duration timeout) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ProducerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-accounts-writer");
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MILLIS);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeout.toMillis());
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TRANSACTION_MILLIS);
        return config;
    }
}
