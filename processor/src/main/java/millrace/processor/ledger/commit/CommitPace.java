package millrace.processor.ledger.commit;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When a stream thread commits what it has decided: at once, so that a lone report waits for nothing, but after a commit it rests
 * for as long as that took, and longer the more decisions it was about: {@value #DECISIONS} are worth its time.
 * Who has little to decide has time to commit; who has much must not spend it on that.
 *
 * <p>One for each thread, since all tasks of a thread share its transaction.
 */
public final class CommitPace {
    private static final int DECISIONS = 8;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier clock;
    private boolean committing;
    private long begun;
    private long next;
    private int decisions;
    private long commits;

    /** @param clock nanoseconds */
    public CommitPace(LongSupplier clock) {
        this.clock = clock;
        this.next = clock.getAsLong();
    }

    /** Something was decided. How long its commit should still wait, in whole milliseconds, the unit of Streams. */
    Duration decided() {
        decisions++;
        return rest();
    }

    /** How long its thread may wait for commands: not beyond the moment when what was decided shall be committed. */
    public Duration atMost(Duration longest) {
        // Rounded up: consumers wait in whole milliseconds, and would be asked again and again during the last one.
        Duration rest = Duration.ofMillis(Math.ceilDiv(nanosLeft(), NANOS_PER_MILLI));
        return decisions > 0 && rest.compareTo(longest) < 0 ? rest : longest;
    }

    /** The commit of a transaction begins, whoever wanted it, or a further step of it. */
    public void begins() {
        if (!committing) {
            committing = true;
            begun = clock.getAsLong();
        }
    }

    /** It is done. */
    public void ends() {
        long now = clock.getAsLong();
        next = now + (now - begun) * Math.max(1, decisions / DECISIONS);
        decisions = 0;
        committing = false;
        commits++;
    }

    /** What was decided is undone: nothing waits for its commit any more. */
    public void aborted() {
        decisions = 0;
        committing = false;
    }

    /** How many transactions there were: what was decided before this changed is committed. */
    long commits() {
        return commits;
    }

    private Duration rest() {
        return Duration.ofMillis(nanosLeft() / NANOS_PER_MILLI);
    }

    private long nanosLeft() {
        return Math.max(0, next - clock.getAsLong());
    }
}
