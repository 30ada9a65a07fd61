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

/**
 * One Kafka transaction. Beginning it fences every other producer that has its transactional id.
 */
final class AccountTransaction implements AutoCloseable {
    private static final int TRANSACTION_MILLIS = 10_000;
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final Producer<String, byte[]> producer;

    private AccountTransaction(Producer<String, byte[]> producer) {
        this.producer = producer;
    }

    /**
     * Opens a producer with the id. When this returns, transactions of earlier owners of the id are
     * either committed or aborted for ever.
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

    /**
     * Writes all of the records or none.
     *
     * @throws KafkaException where the commit fails; see {@link #fenced}
     */
    void commit(List<ProducerRecord<String, byte[]>> records) {
        producer.beginTransaction();
        for (ProducerRecord<String, byte[]> record : records) {
            // A send that fails makes the commit fail.
            var unused = producer.send(record);
        }
        producer.commitTransaction();
    }

    @Override
    public void close() {
        producer.close(CLOSING);
    }

    /**
     * Whether another gateway has taken the id, so that this transaction wrote nothing. A commit
     * just after the other gateway's initTransactions fails with an invalid state. A commit during
     * it fails with an error that the client does not know, because the broker's coordinator throws
     * (4.3.1: "already a pending state PREPARE_EPOCH_FENCE"). Where such an error follows a commit
     * that did succeed, the change is decided again and found unchanged, since each change has its
     * own id.
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

    /**
     * Whether the broker refused a record because its timestamp is too far ahead of the broker's
     * clock. Nothing was written then.
     */
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
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, kafka.compression());
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TRANSACTION_MILLIS);
        return config;
    }
}
