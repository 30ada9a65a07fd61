package millrace.notifier.loop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import millrace.notifier.attempt.DeliveryScheduler;
import millrace.notifier.mailbox.Mailbox;
import millrace.notifier.persistence.DeliveryStateWriter;
import millrace.notifier.persistence.PendingWrites;
import millrace.notifier.persistence.TransactionWriter;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides when pending writes are committed: 70 ms after something came into it, and one transaction after the other. For one thread. */
public final class CommitScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(CommitScheduler.class);
    /** Leaves time for the commit itself within the 100 ms after which nothing that ended is repeated. */
    private static final long COMMIT_INTERVAL_MILLIS = 70;
    /** From then on nothing new starts, so that little would be repeated after a crash. */
    private static final long STUCK_MILLIS = 250;

    private final Consumer<String, byte[]> consumer;
    private final TransactionWriter transactions;
    private final DeliveryScheduler deliveries;
    private final DeliveryStateWriter stateWriter;
    private final PendingWrites pendingWrites;
    private final Mailbox mailbox;
    private @Nullable Running running;
    private long runningSince;
    private long pendingSince = Long.MAX_VALUE;
    private int count;

    /** @param generation of the group when it began */
    private record Running(
            PendingWrites.Batch batch,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            int generation,
            CompletableFuture<List<TransactionWriter.Saved>> transaction) {}

    public CommitScheduler(
            Consumer<String, byte[]> consumer,
            TransactionWriter transactions,
            DeliveryScheduler deliveries,
            DeliveryStateWriter stateWriter,
            PendingWrites pendingWrites,
            Mailbox mailbox) {
        this.consumer = consumer;
        this.transactions = transactions;
        this.deliveries = deliveries;
        this.stateWriter = stateWriter;
        this.pendingWrites = pendingWrites;
        this.mailbox = mailbox;
    }

    /** Transactions committed so far. */
    int count() {
        return count;
    }

    /** Whether Kafka is so late that attempts must wait for it. */
    boolean stuck(long now) {
        return running != null && now - runningSince > STUCK_MILLIS;
    }

    /** When {@link #inTime} may have something to do. */
    long nextDue() {
        if (running != null) {
            return running.transaction().isDone() ? Long.MIN_VALUE : Long.MAX_VALUE; // its end wakes the loop
        }
        return pendingWrites.isEmpty() || pendingSince == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : pendingSince + COMMIT_INTERVAL_MILLIS;
    }

    void inTime(long now) {
        if (running != null && running.transaction().isDone()) {
            settle();
        }
        if (pendingWrites.isEmpty()) {
            return;
        }
        if (pendingSince == Long.MAX_VALUE) {
            pendingSince = now;
        }
        if (running == null && now - pendingSince >= COMMIT_INTERVAL_MILLIS) {
            start();
        }
    }

    /** Everything, before it returns. */
    void atOnce() {
        do {
            settle();
        } while (running != null);
        start();
        while (running != null) {
            settle();
        }
    }

    private void start() {
        pendingSince = Long.MAX_VALUE;
        if (!pendingWrites.isEmpty() && !deliveries.owned().isEmpty()) {
            runningSince = deliveries.now();
            PendingWrites.Batch batch = pendingWrites.drain();
            Map<TopicPartition, OffsetAndMetadata> offsets = offsets();
            run(batch, offsets, transactions.start(batch, offsets, consumer.groupMetadata()));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the loop looks at the transaction itself
    private void run(
            PendingWrites.Batch batch,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            CompletableFuture<List<TransactionWriter.Saved>> transaction) {
        running = new Running(batch, offsets, consumer.groupMetadata().generationId(), transaction);
        transaction.whenComplete((saved, error) -> mailbox.wake());
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets() {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        deliveries.owned().values().forEach(partition -> offsets.put(partition.source(), partition.toCommit()));
        return offsets;
    }

    private void settle() {
        if (running == null) {
            return;
        }
        List<TransactionWriter.Saved> saved;
        try {
            saved = TransactionWriter.result(running.transaction());
        } catch (CommitFailedException e) {
            commitAgain(running, e);
            return;
        }
        running = null;
        count++;
        stateWriter.saved(saved, deliveries.now());
    }

    /** The group has changed while it ran, but this instance still owns what it did: before it loses a partition it is told. */
    private void commitAgain(Running failed, CommitFailedException error) {
        if (consumer.groupMetadata().generationId() == failed.generation()) {
            throw error;
        }
        LOG.info("commits again, in the group's new generation");
        // With its own offsets: what was released since belongs to what is written next.
        run(
                failed.batch(),
                failed.offsets(),
                transactions.startAgain(failed.batch(), failed.offsets(), consumer.groupMetadata()));
    }
}
