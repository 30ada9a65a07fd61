package millrace.bench.takeover;

import org.jspecify.annotations.Nullable;

/** A request and what became of it; times in microseconds since the epoch. */
final class FollowedReport {
    private static final long NOT_YET = 0;

    private final int number;
    private final LoadAccount account;
    private final long due;
    private volatile @Nullable String id;
    private volatile long answered = NOT_YET;
    private volatile long ended = NOT_YET;
    private volatile long delivered = NOT_YET;

    /** @param due when the request was to be sent */
    FollowedReport(int number, LoadAccount account, long due) {
        this.number = number;
        this.account = account;
        this.due = due;
    }

    int number() {
        return number;
    }

    LoadAccount account() {
        return account;
    }

    long due() {
        return due;
    }

    /** Null until it was accepted. */
    @Nullable
    String id() {
        return id;
    }

    void accepted(String reportId, long when) {
        id = reportId;
        answered = when;
    }

    /** A client has seen that it is complete. */
    void ended(long when) {
        ended = when;
    }

    /** The event that says complete has arrived for the first time. */
    void delivered(long when) {
        delivered = when;
    }

    long answered() {
        return answered;
    }

    long ended() {
        return ended;
    }

    long delivered() {
        return delivered;
    }

    /** Whether its client and its receiver know the end. */
    boolean done() {
        return ended != NOT_YET && delivered != NOT_YET;
    }
}
