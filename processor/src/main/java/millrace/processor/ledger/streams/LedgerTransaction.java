package millrace.processor.ledger.streams;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.streams.HeldTasks.AnsweredTask;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import millrace.processor.ledger.streams.internals.StreamThreadListener;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The open transaction of a stream thread, which all tasks of the thread share: when it is committed, which records are
 * sent only then, and which tasks workers of this process render until then. For that thread only.
 */
public final class LedgerTransaction implements StreamThreadListener {
    private final CommitPace pace;
    private final HeldTasks held;
    private final LastValues lastValues = new LastValues();
    private ToLongFunction<TopicPartition> logEnds = partition -> UNKNOWN;
    private boolean ending;

    /**
     * @param commitInterval longest time between two commits while there is something to commit
     * @param workers to which small reports are handed in memory
     */
    public LedgerTransaction(ServiceThreads threads, Duration commitInterval, LocalWorkers workers) {
        this(new CommitPace(threads::nanoTime, commitInterval), new HeldTasks(workers, threads));
    }

    LedgerTransaction(CommitPace pace, HeldTasks held) {
        this.pace = pace;
        this.held = held;
    }

    /**
     * Returns the transaction of the calling thread.
     *
     * @param commitInterval longest time between two commits while there is something to commit
     * @param workers to which small reports are handed in memory
     */
    public static Supplier<LedgerTransaction> perThread(Duration commitInterval, LocalWorkers workers) {
        ThreadLocal<LedgerTransaction> transactions = ThreadLocal.withInitial(
                () -> new LedgerTransaction(ServiceThreads.ofMachine(), commitInterval, workers));
        return transactions::get;
    }

    // The steps of the thread

    /**
     * Keeps a record back until the transaction is committed, and drops it where a newer one of its key comes before.
     * For topics that keep the newest value of each key. Returns false where the record must be forwarded now.
     */
    boolean keepBack(OutgoingRecord record) {
        return lastValues.keep(record);
    }

    /**
     * Hands a task to workers of this process, and its record to Kafka only where they do not answer before the commit.
     * Returns false where the record must be forwarded now.
     *
     * @param step hears of the answer
     */
    boolean handOver(Object step, HandedTask task) {
        return held.handOver(step, task);
    }

    /** Removes and returns the step's tasks that are rendered. */
    public List<AnsweredTask> answered(Object step) {
        return held.answered(step);
    }

    /** The end of the commands of a partition when they were last read; negative where it is not known. */
    long logEnd(int partition) {
        return logEnds.applyAsLong(new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), partition));
    }

    /** To be called after a decision was written. */
    void decided() {
        pace.decided();
    }

    /** How long the commit should wait; nothing where it is due. In whole milliseconds, the unit of Streams. */
    Duration rest() {
        Duration rest = pace.rest();
        return rest.isZero() && held.holds() ? HeldTasks.LOOK : rest;
    }

    /** Whether something was decided since the last commit. */
    boolean changed() {
        return pace.changed();
    }

    // The clients of the thread

    @Override
    public void readBy(ToLongFunction<TopicPartition> ends) {
        logEnds = ends;
    }

    @Override
    public boolean awaitAnswers() {
        if (!pace.changed() || !pace.rest().isZero() || !held.holds()) {
            return false;
        }
        held.await();
        return true;
    }

    @Override
    public Duration poll(Duration longest) {
        return pace.atMost(longest);
    }

    @Override
    public void committing(BiConsumer<String, Record<String, byte[]>> sender) {
        pace.begins();
        held.giveBack(outgoing -> sender.accept(outgoing.topic(), outgoing.record()));
        lastValues.send(outgoing -> sender.accept(outgoing.topic(), outgoing.record()));
    }

    @Override
    public void ending() {
        ending = true;
    }

    @Override
    public void committed() {
        ending = false;
        pace.ends();
        held.committed();
    }

    @Override
    public void aborted() {
        pace.aborted();
        lastValues.clear();
        held.aborted(!ending);
        ending = false;
    }
}
