package millrace.notifier.delivery.flow;

/** A token bucket that holds the tokens of one second; kept as the time at which it would be full again. For one thread. */
final class AttemptRate {
    private static final long SECOND_MICROS = 1_000_000;

    private final long microsEach;
    private long fullAtMicros = Long.MIN_VALUE / 2;

    AttemptRate(int perSecond) {
        this.microsEach = SECOND_MICROS / perSecond;
    }

    /** When a token is there, in milliseconds. */
    long next() {
        return Math.ceilDiv(fullAtMicros - SECOND_MICROS + microsEach, 1000L);
    }

    /** @param halvings of the rate */
    void take(long now, int halvings) {
        fullAtMicros = Math.max(fullAtMicros, now * 1000) + (microsEach << halvings);
    }

    /** From now on tokens have to come in first. */
    void empty(long now) {
        fullAtMicros = Math.max(fullAtMicros, now * 1000 + SECOND_MICROS - microsEach);
    }
}
