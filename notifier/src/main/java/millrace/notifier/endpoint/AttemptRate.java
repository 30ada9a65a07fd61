package millrace.notifier.endpoint;

/**
 * A token bucket that holds the tokens of one second, stored as the time at which it would be full again. Not
 * thread-safe.
 */
final class AttemptRate {
    private static final long SECOND_MICROS = 1_000_000;

    private final long microsEach;
    private long fullAtMicros = Long.MIN_VALUE / 2;

    AttemptRate(int perSecond) {
        this.microsEach = SECOND_MICROS / perSecond;
    }

    /** When the next token is available, in milliseconds since the epoch. */
    long next() {
        return Math.ceilDiv(fullAtMicros - SECOND_MICROS + microsEach, 1000L);
    }

    /**
     * Takes a token.
     *
     * @param halvings how often the rate is halved
     */
    void take(long now, int halvings) {
        fullAtMicros = Math.max(fullAtMicros, now * 1000) + (microsEach << halvings);
    }

    /** Removes all tokens. */
    void empty(long now) {
        fullAtMicros = Math.max(fullAtMicros, now * 1000 + SECOND_MICROS - microsEach);
    }
}
