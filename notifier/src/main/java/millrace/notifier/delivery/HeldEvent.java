package millrace.notifier.delivery;

import java.util.UUID;
import millrace.contracts.DeliveryCommand.Deliver;

/** An event from its arrival until it is delivered or given up. */
public final class HeldEvent {
    /** The source offset of an event that was read from the state topic. */
    public static final long NO_OFFSET = -1;

    public static final int NOT_RESENT = -1;

    private final Deliver delivery;
    private final long sourceOffset;
    private int attempts;
    /** {@link #NOT_RESENT}, or the attempts that had ended when it was: the schedule counts from there. */
    private final int resentAfter;

    private long due;
    private long order;
    private boolean saved;
    private boolean ended;

    private HeldEvent(Deliver delivery, long sourceOffset, int attempts, int resentAfter, long due, boolean saved) {
        this.delivery = delivery;
        this.sourceOffset = sourceOffset;
        this.attempts = attempts;
        this.resentAfter = resentAfter;
        this.due = due;
        this.saved = saved;
    }

    /** @param now its first attempt is due at once */
    public static HeldEvent arrived(Deliver delivery, long sourceOffset, long now) {
        return new HeldEvent(delivery, sourceOffset, 0, NOT_RESENT, now, false);
    }

    /** An event that had ended and is sent once more, after so many attempts. */
    public static HeldEvent resent(Deliver delivery, long sourceOffset, int attempts, long now) {
        return new HeldEvent(delivery, sourceOffset, attempts, attempts, now, false);
    }

    /**
     * One that somebody left in the state topic.
     *
     * @param resentAfter attempts that had ended when it was resent, or {@link #NOT_RESENT}
     */
    public static HeldEvent takenOver(Deliver delivery, int attempts, int resentAfter, long due) {
        return new HeldEvent(delivery, NO_OFFSET, attempts, resentAfter, due, true);
    }

    public Deliver delivery() {
        return delivery;
    }

    public String id() {
        return delivery.eventId();
    }

    UUID report() {
        return delivery.reportId();
    }

    public long sourceOffset() {
        return sourceOffset;
    }

    /** Attempts that have ended. */
    public int attempts() {
        return attempts;
    }

    public boolean isResent() {
        return resentAfter != NOT_RESENT;
    }

    /** Attempts that had ended when it was resent, 0 where it was not: the schedule counts from there. */
    public int resentAfter() {
        return Math.max(0, resentAfter);
    }

    /** When its next attempt may start. */
    public long due() {
        return due;
    }

    /** Whether the state topic has it. */
    public boolean saved() {
        return saved;
    }

    public void markSaved() {
        saved = true;
    }

    /** Whether it is delivered or given up. */
    public boolean ended() {
        return ended;
    }

    /** Breaks ties of {@link #due}: what came first goes first. */
    long order() {
        return order;
    }

    void queuedAs(long position) {
        order = position;
    }

    void attemptFailed(long nextDue) {
        attempts++;
        due = nextDue;
    }

    void hurry(long now) {
        due = Math.min(due, now);
    }

    void end() {
        ended = true;
    }
}
