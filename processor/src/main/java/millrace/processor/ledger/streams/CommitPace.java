package millrace.processor.ledger.streams;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides when a stream thread commits. The first decision is committed at once, so that a single report does not wait.
 * After a commit the thread pauses for as long as the commit took, times the number of decisions in it divided by
 * {@value #DECISIONS}, so that a busy thread spends little of its time on commits; but never longer than
 * {@code processor.commit-interval}.
 *
 * <p>Each thread has one, since all tasks of a thread share its transaction.
 */
final class CommitPace {
    private static final int DECISIONS = 8;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier clock;
    private final long longestNanos;
    private boolean committing;
    private long begun;
    private long next;
    private int decisions;

    /**
     * @param clock returns nanoseconds
     * @param longest longest pause after a commit
     */
    CommitPace(LongSupplier clock, Duration longest) {
        this.clock = clock;
        this.longestNanos = longest.toNanos();
        this.next = clock.getAsLong();
    }

    /** To be called after a decision. */
    void decided() {
        decisions++;
    }

    /**
     * How long the thread may poll for commands: at most {@code longest}, and not beyond the time of the next commit.
     */
    Duration atMost(Duration longest) {
        // Rounded up: consumers wait for whole milliseconds, so that the thread would spin during the last one.
        Duration rest = Duration.ofMillis(Math.ceilDiv(nanosLeft(), NANOS_PER_MILLI));
        return decisions > 0 && rest.compareTo(longest) < 0 ? rest : longest;
    }

    /** To be called when a commit, or a further step of it, begins, whatever caused it. */
    void begins() {
        if (!committing) {
            committing = true;
            begun = clock.getAsLong();
        }
    }

    /** To be called when the commit has ended. */
    void ends() {
        long now = clock.getAsLong();
        next = now + Math.min(longestNanos, (now - begun) * Math.max(1, decisions / DECISIONS));
        decisions = 0;
        committing = false;
    }

    /** To be called when the transaction was aborted, so that no decision waits for a commit. */
    void aborted() {
        decisions = 0;
        committing = false;
    }

    /** Whether something was decided since the last commit. */
    boolean changed() {
        return decisions > 0;
    }

    /** How long the commit should wait, in whole milliseconds, the unit of Streams. */
    Duration rest() {
        return Duration.ofMillis(nanosLeft() / NANOS_PER_MILLI);
    }

    private long nanosLeft() {
        return Math.max(0, next - clock.getAsLong());
    }
}
