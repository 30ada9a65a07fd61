package millrace.gateway.access;

import java.time.Duration;

/**
 * A bucket that holds at most one second's worth of tokens, and always one, and fills steadily.
 * Time is any clock that does not go back, in nanoseconds.
 *
 * @param tokens at {@code at}; negative where other gateways took more than there was
 */
record TokenBucket(double tokens, long at) {
    private static final double NANOS_PER_SECOND = 1e9;
    /** What a bucket owes at most, in seconds until it is empty again. */
    private static final double MOST_OWED = 10;

    static TokenBucket full(double perSecond, long now) {
        return new TokenBucket(most(perSecond), now);
    }

    /** The result of taking one token. */
    sealed interface Answer {
        /** @param next the bucket with one token less */
        record Taken(TokenBucket next) implements Answer {}

        /** @param left time until there is one */
        record Empty(Duration left) implements Answer {}
    }

    Answer take(double perSecond, long now) {
        double filled = filled(perSecond, now);
        if (filled >= 1) {
            return new Answer.Taken(new TokenBucket(filled - 1, Math.max(now, at)));
        }
        return new Answer.Empty(Duration.ofNanos((long) Math.ceil((1 - filled) / perSecond * NANOS_PER_SECOND)));
    }

    /**
     * The bucket without tokens that were taken elsewhere, also where it does not have as many. What
     * it had to spill since then, because it was full, it could have kept.
     *
     * @param since when they were taken
     */
    TokenBucket takenElsewhere(int requests, double perSecond, long since) {
        long from = Math.max(at, since);
        return new TokenBucket(Math.max(filled(perSecond, from) - requests, -MOST_OWED * perSecond), from);
    }

    /** Requests that could be sent at once. */
    int whole(double perSecond, long now) {
        return (int) Math.max(0, filled(perSecond, now));
    }

    boolean isFull(double perSecond, long now) {
        return filled(perSecond, now) >= most(perSecond);
    }

    private double filled(double perSecond, long now) {
        double elapsed = Math.max(0, now - at) / NANOS_PER_SECOND;
        return Math.min(most(perSecond), tokens + elapsed * perSecond);
    }

    private static double most(double perSecond) {
        return Math.max(1, perSecond);
    }
}
