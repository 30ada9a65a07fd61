package millrace.processor.ledger.decide;

/**
 * The queue of an account in one lane. Reports that wait for a turn hold numbered tickets.
 *
 * @param inFlight tasks that are handed out
 * @param first the lowest ticket that has not been called
 * @param next the number of the next ticket; equal to {@code first} where no report waits
 */
record LaneQueue(int inFlight, long first, long next) {
    static final LaneQueue EMPTY = new LaneQueue(0, 0, 0);

    public LaneQueue {
        if (inFlight < 0 || first > next) {
            throw new IllegalStateException(
                    "not a queue: " + inFlight + " in flight, tickets " + first + " to " + next);
        }
    }

    public boolean waits() {
        return first < next;
    }

    LaneQueue moreInFlight(int more) {
        return new LaneQueue(inFlight + more, first, next);
    }

    LaneQueue queued() {
        return new LaneQueue(inFlight, first, next + 1);
    }

    LaneQueue called() {
        return new LaneQueue(inFlight, first + 1, next);
    }
}
