package millrace.gateway.admission;

import java.time.Duration;

/**
 * A bucket that holds at most one second's worth of tokens and fills steadily. Time is any clock
 * that does not go back, in nanoseconds.
 *
 * @param tokens at {@code at}
 */
record TokenBucket(double tokens, long at) {
    private static final double NANOS_PER_SECOND = 1e9;

    static TokenBucket full(int perSecond, long now) {
        return new TokenBucket(perSecond, now);
    }

    /** The result of taking one token. */
    sealed interface Answer {
        /** @param next the bucket with one token less */
        record Taken(TokenBucket next) implements Answer {}

        /** @param left time until there is one */
        record Empty(Duration left) implements Answer {}
    }

    Answer take(int perSecond, long now) {
        double elapsed = Math.max(0, now - at) / NANOS_PER_SECOND;
        double filled = Math.min(perSecond, tokens + elapsed * perSecond);
        if (filled >= 1) {
            return new Answer.Taken(new TokenBucket(filled - 1, Math.max(now, at)));
        }
        return new Answer.Empty(Duration.ofNanos((long) Math.ceil((1 - filled) / perSecond * NANOS_PER_SECOND)));
    }
}
