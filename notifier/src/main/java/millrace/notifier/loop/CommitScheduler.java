package millrace.notifier.loop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits the pending writes 70 ms after the first of them was added, one transaction at a time. Not thread-safe. */
final class CommitScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(CommitScheduler.class);
    /** An attempt that ended is committed within 100 ms; this leaves time for the commit itself. */
    private static final long COMMIT_INTERVAL_MILLIS = 70;
    /** After this time no attempt starts until the commit ends, so that few would be repeated after a crash. */
    private static final long LATE_MILLIS = 250;

    private final Consumer<String, byte[]> consumer;
    private final TransactionWriter transactions;
    private final Ownership ownership;
    private final PendingWrites pendingWrites;
    private final Mailbox mailbox;
    private final SteadyClock clock;
    private @Nullable Running running;
    private long runningSince;
    private long pendingSince = Long.MAX_VALUE;
    private int count;

    /** @param generation of the consumer group when the transaction began */
    private record Running(
            PendingWrites.Batch batch,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            int generation,
            CompletableFuture<List<TransactionWriter.Saved>> transaction) {}

    CommitScheduler(
            Consumer<String, byte[]> consumer,
            TransactionWriter transactions,
            Ownership ownership,
            PendingWrites pendingWrites,
            Mailbox mailbox,
            SteadyClock clock) {
        this.consumer = consumer;
        this.transactions = transactions;
        this.ownership = ownership;
        this.pendingWrites = pendingWrites;
        this.mailbox = mailbox;
        this.clock = clock;
    }

    /** Number of committed transactions. */
    int count() {
        return count;
    }

    /** Whether the current commit takes so long that attempts must wait for it. */
    boolean late(long now) {
        return running != null && now - runningSince > LATE_MILLIS;
    }

    /** When {@link #runDue} has something to do, in milliseconds of the loop's clock. */
    long nextDue() {
        if (running != null) {
            return running.transaction().isDone()
                    ? Long.MIN_VALUE
                    : Long.MAX_VALUE; // the end of the transaction wakes the loop
        }
        return pendingWrites.isEmpty() || pendingSince == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : pendingSince + COMMIT_INTERVAL_MILLIS;
    }

    void runDue(long now) {
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

    /** Commits all pending writes before it returns. */
    void commitNow() {
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
        if (!pendingWrites.isEmpty() && !ownership.partitions().isEmpty()) {
            runningSince = clock.millis();
            PendingWrites.Batch batch = pendingWrites.drain();
            Map<TopicPartition, OffsetAndMetadata> offsets = offsets();
            run(batch, offsets, transactions.start(batch, offsets, consumer.groupMetadata()));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the loop asks the transaction itself
    private void run(
            PendingWrites.Batch batch,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            CompletableFuture<List<TransactionWriter.Saved>> transaction) {
        running = new Running(batch, offsets, consumer.groupMetadata().generationId(), transaction);
        transaction.whenComplete((saved, error) -> mailbox.wake());
    }

    /** Those that have moved, and at least one: with the offsets, Kafka checks the generation of the group. */
    private Map<TopicPartition, OffsetAndMetadata> offsets() {
        List<OwnedPartition> moved = ownership.takeMoved();
        if (moved.isEmpty()) {
            moved = List.of(ownership.partitions().values().iterator().next());
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        moved.forEach(partition -> offsets.put(partition.source(), partition.toCommit()));
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
        pendingWrites.saved(saved, clock.millis());
    }

    /**
     * The group was rebalanced during the transaction. This instance still owns its partitions, since it is called
     * before it loses one, so the same batch is committed with the new generation.
     */
    private void commitAgain(Running failed, CommitFailedException error) {
        if (consumer.groupMetadata().generationId() == failed.generation()) {
            throw error;
        }
        LOG.info(
                "commit repeated after a rebalance generation={}",
                consumer.groupMetadata().generationId());
        // With the same offsets: those released since then belong to the next batch.
        run(
                failed.batch(),
                failed.offsets(),
                transactions.startAgain(failed.batch(), failed.offsets(), consumer.groupMetadata()));
    }
}
