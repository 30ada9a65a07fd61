package millrace.runtime.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Whether something that should happen all the time has happened lately: what readiness says is then true within 2 s. */
final class Liveness {
    /** Less than these 2 s, for the answer itself takes time. */
    static final Duration WINDOW = Duration.ofMillis(1800);

    private final LongSupplier nanos;
    private volatile long last;

    /** @param nanos a clock that only goes forward, as {@link System#nanoTime()} */
    Liveness(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = now() - WINDOW.toNanos();
    }

    long now() {
        return nanos.getAsLong();
    }

    /** @param at by the same clock */
    void mark(long at) {
        last = at;
    }

    boolean isRecent() {
        return now() - last < WINDOW.toNanos();
    }
}
