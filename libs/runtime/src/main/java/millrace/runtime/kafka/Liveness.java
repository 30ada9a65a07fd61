package millrace.runtime.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides whether something that happens all the time has happened recently, so that readiness is
 * correct within 2 s.
 */
final class Liveness {
    /** Shorter than 2 s, because the answer takes time too. */
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
