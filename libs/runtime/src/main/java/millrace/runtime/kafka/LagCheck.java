package millrace.runtime.kafka;

import java.util.function.LongSupplier;

/** Whether a reader keeps up: it falls behind where it is too slow, and where it has stopped. */
final class LagCheck {
    /** What is on its way at any time is not a lag. */
    static final long MAX_RECORDS = 10_000;

    private final Liveness liveness;

    /** @param nanos a clock that only goes forward, as {@link System#nanoTime()} */
    LagCheck(LongSupplier nanos) {
        this.liveness = new Liveness(nanos);
    }

    /** To be called often, with the number of records that have not been read. */
    void record(long records) {
        if (records <= MAX_RECORDS) {
            liveness.mark(liveness.now());
        }
    }

    boolean isSmall() {
        return liveness.isRecent();
    }
}
