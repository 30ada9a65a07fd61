package millrace.notifier.delivery;

import java.util.Objects;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import org.jspecify.annotations.Nullable;

/**
 * An event from its arrival until it is delivered or given up. Millions may wait, so it is about 100 bytes, and what is to be
 * sent can be dropped from memory once Kafka has it.
 */
public final class HeldEvent {
    /** Where the record of a state that is not committed yet will be. */
    public static final long UNKNOWN = -1;

    public static final int NOT_RESENT = -1;
    static final int NOT_IN_HEAP = -1;

    private final long reportHigh;
    private final long reportLow;
    private final int sequence;
    /** Null where it is {@code {report}.{sequence}}, as all that Millrace writes are. */
    private final @Nullable String otherId;

    private final long occurredAt;
    private @Nullable Deliver delivery;
    private short attempts;
    /** {@link #NOT_RESENT}, or the attempts that had ended when it was: the schedule counts from there. */
    private final short resentAfter;

    private long due;
    /** Until it is saved the offset in the source, then that of its newest state. */
    private long position;

    private int order;
    private boolean saved;
    private boolean ended;
    int heapIndex = NOT_IN_HEAP;
    /** The next event of the report, where that waits for this one or for one before it. */
    private @Nullable HeldEvent follower;
    /** Whether it follows one that only the source has. */
    private boolean followsUnsaved;

    private HeldEvent(Id id, long occurredAt, int attempts, int resentAfter, long due) {
        this.reportHigh = id.report().getMostSignificantBits();
        this.reportLow = id.report().getLeastSignificantBits();
        this.sequence = id.sequence();
        this.otherId = id.text().equals(id.report() + "." + id.sequence()) ? null : id.text();
        this.occurredAt = occurredAt;
        this.attempts = (short) Math.min(attempts, Short.MAX_VALUE);
        this.resentAfter = (short) Math.min(resentAfter, Short.MAX_VALUE);
        this.due = due;
    }

    /** @param text {@code webhook-id} */
    public record Id(String text, UUID report, int sequence) {
        private static final int UUID_LENGTH = 36;

        /** Of a text that is not {@code {report}.{sequence}} only the text is known, and that must do to find it. */
        static Id parse(String text) {
            try {
                if (text.length() > UUID_LENGTH + 1 && text.charAt(UUID_LENGTH) == '.') {
                    UUID report = UUID.fromString(text.substring(0, UUID_LENGTH));
                    return new Id(text, report, Integer.parseInt(text, UUID_LENGTH + 1, text.length(), 10));
                }
            } catch (IllegalArgumentException e) {
                return new Id(text, new UUID(0, 0), 0);
            }
            return new Id(text, new UUID(0, 0), 0);
        }

        static Id of(Deliver delivery) {
            return new Id(delivery.eventId(), delivery.reportId(), delivery.sequence());
        }
    }

    /** @param now its first attempt is due at once */
    public static HeldEvent arrived(Deliver delivery, long sourceOffset, long now) {
        return arrived(delivery, sourceOffset, 0, NOT_RESENT, now);
    }

    /** An event that had ended and is sent once more, after so many attempts. */
    public static HeldEvent resent(Deliver delivery, long sourceOffset, int attempts, long now) {
        return arrived(delivery, sourceOffset, attempts, attempts, now);
    }

    private static HeldEvent arrived(Deliver delivery, long offset, int attempts, int resentAfter, long now) {
        var event = new HeldEvent(Id.of(delivery), delivery.occurredAt().toEpochMilli(), attempts, resentAfter, now);
        event.delivery = delivery;
        event.position = offset;
        return event;
    }

    /**
     * One that somebody left in the state topic; what is to be sent stays there for now.
     *
     * @param occurredAt milliseconds since the epoch
     * @param resentAfter attempts that had ended when it was resent, or {@link #NOT_RESENT}
     * @param stateOffset of the record
     */
    public static HeldEvent takenOver(
            Id id, long occurredAt, int attempts, int resentAfter, long due, long stateOffset) {
        var event = new HeldEvent(id, occurredAt, attempts, resentAfter, due);
        event.saved = true;
        event.position = stateOffset;
        return event;
    }

    /** What is to be sent; null while only Kafka has it. */
    public @Nullable Deliver delivery() {
        return delivery;
    }

    public void fetched(Deliver value) {
        delivery = value;
    }

    /** Kafka has it, and will be asked for it; false where nobody knows yet where it is. */
    public boolean dropPayload() {
        if (delivery == null || !saved || position == UNKNOWN) {
            return false;
        }
        delivery = null;
        return true;
    }

    public String id() {
        return otherId == null ? new UUID(reportHigh, reportLow) + "." + sequence : otherId;
    }

    public UUID report() {
        return new UUID(reportHigh, reportLow);
    }

    public int sequence() {
        return sequence;
    }

    /** Milliseconds since the epoch. */
    public long occurredAt() {
        return occurredAt;
    }

    /** Only while it is not {@link #saved}. */
    public long sourceOffset() {
        return position;
    }

    /** Only once it is {@link #saved}; {@link #UNKNOWN} until that is committed. */
    public long stateOffset() {
        return position;
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

    /** Whether the state topic has it, or will have it with the next transaction. */
    public boolean saved() {
        return saved;
    }

    public void markSaved() {
        saved = true;
        position = UNKNOWN;
        if (follower != null) {
            follower.followsUnsaved = false;
        }
    }

    /**
     * Whether an event of its report has to be saved, or attempted, before this one is saved. Else a new owner would take this
     * one over and only then read that one from the source: it would attempt this one first.
     */
    boolean followsUnsaved() {
        return followsUnsaved;
    }

    /** The next event of the report waits for this one. */
    void followedBy(HeldEvent next) {
        follower = next;
        next.followsUnsaved = !saved;
    }

    /** Its first attempt is over, or it has ended: the event that waited for that, or null. */
    @Nullable
    HeldEvent releaseFollower() {
        HeldEvent next = follower;
        follower = null;
        if (next != null) {
            next.followsUnsaved = false;
        }
        return next;
    }

    /** Where its newest state is. */
    public void savedAt(long offset) {
        position = offset;
    }

    /** Whether it is delivered or given up. */
    public boolean ended() {
        return ended;
    }

    void queuedAs(int place) {
        order = place;
    }

    /** What is due first goes first, then what came first. */
    boolean isBefore(HeldEvent other) {
        return due != other.due ? due < other.due : order - other.order < 0;
    }

    boolean waits() {
        return heapIndex != NOT_IN_HEAP;
    }

    void attemptFailed(long nextDue) {
        attempts++;
        due = nextDue;
    }

    void makeDue(long now) {
        due = Math.min(due, now);
    }

    void end() {
        ended = true;
    }

    int idHash() {
        return otherId == null ? reportHash() * 31 + sequence : otherId.hashCode();
    }

    boolean sameId(HeldEvent other) {
        return Objects.equals(otherId, other.otherId)
                && (otherId != null || (sequence == other.sequence && sameReport(other)));
    }

    int reportHash() {
        return Long.hashCode(reportHigh ^ reportLow);
    }

    boolean sameReport(HeldEvent other) {
        return reportHigh == other.reportHigh && reportLow == other.reportLow;
    }
}
