package millrace.processor.account;

/**
 * An account's tasks in one lane: how many are handed out, and the numbered tickets of the reports that wait for a turn.
 *
 * @param first the lowest ticket that has not been called
 * @param next the number of the next ticket; equal to {@code first} where nobody waits
 */
public record Line(int inFlight, long first, long next) {
    static final Line EMPTY = new Line(0, 0, 0);

    public Line {
        if (inFlight < 0 || first > next) {
            throw new IllegalStateException("not a line: " + inFlight + " in flight, tickets " + first + " to " + next);
        }
    }

    boolean waits() {
        return first < next;
    }

    Line moreInFlight(int more) {
        return new Line(inFlight + more, first, next);
    }

    Line queued() {
        return new Line(inFlight, first, next + 1);
    }

    Line called() {
        return new Line(inFlight, first + 1, next);
    }
}
