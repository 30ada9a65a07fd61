package millrace.bench.takeover;

import org.jspecify.annotations.Nullable;

/** A request and what became of it; times in microseconds since the epoch, 0 while it has not happened. */
final class FollowedReport {
    final int number;
    final LoadAccount account;
    /** When the request was to be sent. */
    final long due;
    /** Null until it was accepted. */
    volatile @Nullable String id;

    volatile long answered;
    /** When a client has seen that it is complete. */
    volatile long ended;
    /** When the event that says complete has arrived for the first time. */
    volatile long delivered;

    FollowedReport(int number, LoadAccount account, long due) {
        this.number = number;
        this.account = account;
        this.due = due;
    }

    /** Whether its client and its receiver know the end. */
    boolean done() {
        return ended != 0 && delivered != 0;
    }
}
