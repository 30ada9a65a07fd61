package millrace.notifier.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes each batch in one transaction with the source offsets, on its own thread, so that a slow broker does not delay
 * attempts.
 */
final class TransactionWriter implements AutoCloseable {
    private final Producer<String, byte[]> producer;
    private final ExecutorService thread;

    /**
     * An event whose state was written.
     *
     * @param offset of that state
     */
    record Saved(HeldEvent event, long offset) {}

    private record Sent(HeldEvent event, Future<RecordMetadata> metadata) {}

    /** Blocks until an open transaction of this instance's previous run has ended. */
    TransactionWriter(Producer<String, byte[]> producer, ServiceThreads threads) {
        this.producer = producer;
        this.thread = Executors.newFixedThreadPool(
                1, threads.virtual().name("transactions").factory());
        try {
            producer.initTransactions();
        } catch (KafkaException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts a transaction; the caller waits for its end before it starts another one. After an error the outcome is
     * unknown, and the writer must not be used again.
     *
     * @param offsets of at least one partition: they make the transaction fail if the group has been rebalanced, so
     *     that another instance may have taken over a partition of the batch
     */
    CompletableFuture<List<Saved>> start(
            PendingWrites.Batch batch, Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        return CompletableFuture.supplyAsync(() -> commit(batch, offsets, group), thread);
    }

    /**
     * Starts the transaction once more, after {@link #start} failed with {@link CommitFailedException} because of a
     * rebalance.
     */
    CompletableFuture<List<Saved>> startAgain(
            PendingWrites.Batch batch, Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        return CompletableFuture.supplyAsync(
                () -> {
                    producer.abortTransaction();
                    return commit(batch, offsets, group);
                },
                thread);
    }

    /**
     * @throws CommitFailedException if the group was rebalanced meanwhile
     * @throws KafkaException if the transaction failed
     */
    static List<Saved> result(CompletableFuture<List<Saved>> transaction) {
        try {
            return transaction.join();
        } catch (CompletionException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof CommitFailedException groupChanged) {
                    throw groupChanged;
                }
            }
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        }
    }

    private List<Saved> commit(
            PendingWrites.Batch batch, Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        producer.beginTransaction();
        List<Sent> sent = new ArrayList<>();
        for (PendingWrites.Write write : batch.states()) {
            Future<RecordMetadata> metadata = producer.send(write.record());
            if (write.event() != null) {
                sent.add(new Sent(write.event(), metadata));
            }
        }
        batch.records().forEach(this::send);
        producer.sendOffsetsToTransaction(offsets, group);
        producer.commitTransaction();
        List<Saved> saved = new ArrayList<>(sent.size());
        for (Sent one : sent) {
            saved.add(new Saved(one.event(), offset(one.metadata())));
        }
        return saved;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if a send fails, the commit fails too
    private void send(ProducerRecord<String, byte[]> record) {
        producer.send(record);
    }

    private static long offset(Future<RecordMetadata> committed) {
        try {
            return committed.get().offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new KafkaException("a committed record has no offset", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        thread.shutdownNow();
    }
}
