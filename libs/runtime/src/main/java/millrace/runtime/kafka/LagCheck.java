package millrace.runtime.kafka;

import java.util.function.LongSupplier;

/** Decides whether a reader keeps up. It does not where it is too slow or has stopped. */
final class LagCheck {
    /** Records that may be on their way at any time. */
    static final long MAX_RECORDS = 10_000;

    private final Liveness liveness;

    /** @param nanos a clock that only goes forward, as {@link System#nanoTime()} */
    LagCheck(LongSupplier nanos) {
        this.liveness = new Liveness(nanos);
    }

    /**
     * Must be called often.
     *
     * @param records that the reader has not read
     */
    void record(long records) {
        if (records <= MAX_RECORDS) {
            liveness.mark(liveness.now());
        }
    }

    boolean isSmall() {
        return liveness.isRecent();
    }
}
