package millrace.simulation.ledger;

import java.util.Map;
import millrace.processor.ledger.streams.LedgerTransaction;
import millrace.runtime.kafka.KafkaClientFactory;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** The producer of a stream thread and its transactions, which begin with their first record. */
final class LedgerTransactions {
    private final KafkaClientFactory clients;
    private final Map<String, Object> config;
    private final LedgerTransaction transaction;
    private Producer<String, byte[]> producer;
    private boolean initialised;
    private boolean open;
    private @Nullable Exception failure;

    LedgerTransactions(KafkaClientFactory clients, Map<String, Object> config, LedgerTransaction transaction) {
        this.clients = clients;
        this.config = config;
        this.transaction = transaction;
        this.producer = clients.producer(config);
    }

    /**
     * Aborts the open transaction of an earlier process with the same name. Returns false where that must be repeated.
     */
    boolean initialise() {
        try {
            if (!initialised) {
                producer.initTransactions();
                initialised = true;
            }
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** @throws TaskMigratedException where the producer was fenced, also while it sent earlier records */
    void send(ProducerRecord<String, byte[]> record) {
        fenced(() -> {
            begin();
            Producer<String, byte[]> of = producer;
            var unused = producer.send(record, (metadata, error) -> {
                if (error != null && of == producer && failure == null) {
                    failure = error;
                }
            });
        });
    }

    private void send(String topic, Record<String, byte[]> record) {
        send(new ProducerRecord<>(topic, null, record.timestamp(), record.key(), record.value(), record.headers()));
    }

    /** @throws TaskMigratedException where the thread was fenced, or the outcome of the transaction is unknown */
    void commit(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        if (offsets.isEmpty() && !open) {
            return;
        }
        fenced(() -> {
            begin();
            transaction.committing(this::send);
            producer.flush();
            producer.sendOffsetsToTransaction(offsets, group);
            transaction.ending();
            producer.commitTransaction();
            open = false;
            transaction.committed();
        });
    }

    /** Replaces the producer. Uncommitted records of the old one are never visible. */
    void renew() {
        close();
        producer = clients.producer(config);
        initialised = false;
        open = false;
        failure = null;
        transaction.aborted();
    }

    void close() {
        producer.close(java.time.Duration.ZERO);
    }

    private void begin() {
        if (failure != null) {
            throw translated(failure);
        }
        if (!open) {
            producer.beginTransaction();
            open = true;
        }
    }

    private static void fenced(Runnable action) {
        try {
            action.run();
        } catch (TaskMigratedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw translated(e);
        }
    }

    private static RuntimeException translated(Exception error) {
        boolean migrated = isMigration(error) || isMigration(error.getCause());
        if (migrated) {
            return new TaskMigratedException(error);
        }
        return error instanceof RuntimeException e ? e : new IllegalStateException(error);
    }

    /** In Streams a timeout marks the tasks as corrupted, which restarts them too. */
    private static boolean isMigration(@Nullable Throwable error) {
        return error instanceof ProducerFencedException
                || error instanceof InvalidProducerEpochException
                || error instanceof CommitFailedException
                || error instanceof TimeoutException;
    }
}
