package millrace.runtime;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Whether a reader keeps up: it falls behind where it is too slow, and where it has stopped. */
final class Nearness {
    /** What is on its way at any time is not a lag. */
    static final long NEAR = 10_000;
    /** Less than the 2 s after which readiness must be true again. */
    static final Duration SINCE = Duration.ofMillis(1800);

    private final LongSupplier nanos;
    private volatile long last;

    /** @param nanos a clock that only goes forward, as {@link System#nanoTime()} */
    Nearness(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = nanos.getAsLong() - SINCE.toNanos();
    }

    /** To be called often, with the number of records that have not been read. */
    void left(long records) {
        if (records <= NEAR) {
            last = nanos.getAsLong();
        }
    }

    boolean near() {
        return nanos.getAsLong() - last < SINCE.toNanos();
    }
}
