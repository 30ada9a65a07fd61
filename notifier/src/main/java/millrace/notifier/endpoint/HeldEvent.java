package millrace.notifier.endpoint;

import java.util.Objects;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import org.jspecify.annotations.Nullable;

/**
 * An event from its arrival until it is delivered or given up. Millions may wait, so it takes about 100 bytes, and its
 * payload can be dropped from memory once the state topic has it.
 */
public final class HeldEvent {
    /** The offset of a state record that is not committed yet. */
    public static final long UNKNOWN = -1;

    public static final int NOT_RESENT = -1;
    static final int NOT_IN_HEAP = -1;

    private final long reportHigh;
    private final long reportLow;
    private final int sequence;
    /** Null if the id is {@code {report}.{sequence}}, as all ids that Millrace writes are. */
    private final @Nullable String otherId;

    private final long occurredAt;
    /** {@link UrlPath#hash} of its URL. */
    private final int urlPath;

    private @Nullable Deliver delivery;
    private short attempts;
    /**
     * {@link #NOT_RESENT}, or the number of attempts that had ended when the event was resent; the retry schedule
     * counts from there.
     */
    private final short resentAfter;

    private long due;
    /** The offset in the source topic until the event is saved, then the offset of its newest state. */
    private long position;

    private int order;
    private boolean saved;
    private boolean ended;
    int heapIndex = NOT_IN_HEAP;
    /** The next event of the report, if it waits for this event. */
    private @Nullable HeldEvent follower;
    /** Whether the event waits for one that is not saved. */
    private boolean followsUnsaved;

    private boolean overdue;

    private HeldEvent(Id id, String url, long occurredAt, int attempts, int resentAfter, long due) {
        this.reportHigh = id.report().getMostSignificantBits();
        this.reportLow = id.report().getLeastSignificantBits();
        this.sequence = id.sequence();
        this.otherId = id.text().equals(id.report() + "." + id.sequence()) ? null : id.text();
        this.occurredAt = occurredAt;
        this.urlPath = UrlPath.hash(url);
        this.attempts = (short) Math.min(attempts, Short.MAX_VALUE);
        this.resentAfter = (short) Math.min(resentAfter, Short.MAX_VALUE);
        this.due = due;
    }

    /**
     * The id of an event.
     *
     * @param text value of the header {@code webhook-id}
     */
    public record Id(String text, UUID report, int sequence) {
        private static final int UUID_LENGTH = 36;

        /**
         * If the text is not {@code {report}.{sequence}}, report and sequence are 0, and only the text identifies
         * the event.
         */
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

    /**
     * An event that was read from the source.
     *
     * @param now when its first attempt is due, in milliseconds since the epoch
     */
    public static HeldEvent arrived(Deliver delivery, long sourceOffset, long now) {
        return arrived(delivery, sourceOffset, 0, NOT_RESENT, now);
    }

    /**
     * An event that had ended and is sent once more.
     *
     * @param attempts number of attempts before
     */
    public static HeldEvent resent(Deliver delivery, long sourceOffset, int attempts, long now) {
        return arrived(delivery, sourceOffset, attempts, attempts, now);
    }

    private static HeldEvent arrived(Deliver delivery, long offset, int attempts, int resentAfter, long now) {
        var event = new HeldEvent(
                Id.of(delivery), delivery.url(), delivery.occurredAt().toEpochMilli(), attempts, resentAfter, now);
        event.delivery = delivery;
        event.position = offset;
        return event;
    }

    /**
     * An event that a former owner left in the state topic. Its payload is not in memory.
     *
     * @param occurredAt milliseconds since the epoch
     * @param resentAfter number of attempts that had ended when it was resent, or {@link #NOT_RESENT}
     * @param stateOffset offset of its record
     */
    public static HeldEvent takenOver(
            Id id, String url, long occurredAt, int attempts, int resentAfter, long due, long stateOffset) {
        var event = new HeldEvent(id, url, occurredAt, attempts, resentAfter, due);
        event.saved = true;
        event.position = stateOffset;
        return event;
    }

    /** The payload; null while only the state topic has it. */
    public @Nullable Deliver delivery() {
        return delivery;
    }

    public void fetched(Deliver value) {
        delivery = value;
    }

    /** Drops the payload from memory. Returns false if its offset in the state topic is not known yet. */
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

    /** Offset in the source topic; only valid while the event is not {@link #saved}. */
    public long sourceOffset() {
        return position;
    }

    /**
     * Offset in the state topic; only valid once the event is {@link #saved}, and {@link #UNKNOWN} until that is
     * committed.
     */
    public long stateOffset() {
        return position;
    }

    /** Number of attempts that have ended. */
    public int attempts() {
        return attempts;
    }

    public boolean isResent() {
        return resentAfter != NOT_RESENT;
    }

    /**
     * Number of attempts that had ended when the event was resent, 0 if it was not. The retry schedule counts from
     * there.
     */
    public int resentAfter() {
        return Math.max(0, resentAfter);
    }

    /** When the next attempt may start, in milliseconds since the epoch. */
    public long due() {
        return due;
    }

    /** Whether the event is in the state topic, or will be with the next transaction. */
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
     * Whether an earlier event of the report has to be saved, or attempted, before this one is saved. A new owner
     * restores saved events before it reads the source, so it would attempt this event first.
     */
    boolean followsUnsaved() {
        return followsUnsaved;
    }

    /** Makes the next event of the report wait for this one. */
    void followedBy(HeldEvent next) {
        follower = next;
        next.followsUnsaved = !saved;
    }

    /**
     * Returns the event that waited for this one, or null. To be called once the first attempt of this event, or the
     * event itself, has ended.
     */
    @Nullable
    HeldEvent releaseFollower() {
        HeldEvent next = follower;
        follower = null;
        if (next != null) {
            next.followsUnsaved = false;
        }
        return next;
    }

    /** Sets the offset of the newest state. */
    public void savedAt(long offset) {
        position = offset;
    }

    int urlPath() {
        return urlPath;
    }

    /** Whether it is attempted although its URL is held, since it would be given up otherwise without an attempt. */
    boolean isOverdue() {
        return overdue;
    }

    void markOverdue() {
        overdue = true;
    }

    /** Whether the event is delivered or given up. */
    public boolean ended() {
        return ended;
    }

    void queuedAs(int place) {
        order = place;
    }

    /** Orders events by the time at which they are due, then by arrival. */
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
