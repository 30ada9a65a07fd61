package millrace.processor.ledger.commit;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The open transaction of a stream thread, which all tasks of the thread share: when it is committed, and which records
 * are sent only then. For that thread only.
 */
public final class LedgerTransaction {
    private final CommitPace pace;
    private final LastValues lastValues = new LastValues();

    public LedgerTransaction(CommitPace pace) {
        this.pace = pace;
    }

    // The steps of the thread

    /**
     * Keeps a record back until the transaction is committed, and drops it where a newer one of its key comes before.
     * For topics that keep the newest value of each key. Returns false where the record must be forwarded now.
     */
    public boolean keepBack(OutgoingRecord record) {
        return lastValues.keep(record);
    }

    /** To be called after a decision was written. */
    void decided() {
        pace.decided();
    }

    /** How long the commit should wait; nothing where it is due. In whole milliseconds, the unit of Streams. */
    Duration rest() {
        return pace.rest();
    }

    /** Whether something was decided since the last commit. */
    boolean changed() {
        return pace.changed();
    }

    // The clients of the thread

    /**
     * How long the thread may poll for commands: at most {@code longest}, and not beyond the time of the next commit.
     */
    public Duration poll(Duration longest) {
        return pace.atMost(longest);
    }

    /**
     * To be called when a commit, or a further step of it, begins, whatever caused it.
     *
     * @param sender sends a record in this transaction
     */
    public void committing(Consumer<OutgoingRecord> sender) {
        pace.begins();
        lastValues.send(sender);
    }

    /** To be called when the commit has ended. */
    public void committed() {
        pace.ends();
    }

    /** To be called when the transaction was aborted, so that nothing waits for its commit. */
    public void aborted() {
        pace.aborted();
        lastValues.clear();
    }
}
