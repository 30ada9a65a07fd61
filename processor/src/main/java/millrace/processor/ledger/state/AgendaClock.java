package millrace.processor.ledger.state;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The time that {@link LedgerTimers} are due by. It follows the wall clock, at half to double the pace of the monotonic
 * clock: if somebody sets the wall clock back, what is due does not wait until the old time comes again, and if it
 * jumps forward, or the machine was suspended, the workers have the time to be heard of. It is kept with the state, so
 * that a new owner whose wall clock is behind goes on from there. For one thread.
 */
public final class AgendaClock {
    /** A kept time that is further ahead was no time. */
    private static final Duration FAR = Duration.ofDays(1);

    private static final Duration KEEP_EVERY = Duration.ofSeconds(1);
    private static final String KEY = "ledger";
    private static final long MICROS_PER_MILLI = 1000;

    private final TypedStore<Long> store;
    private final InstantSource wall;
    private final LongSupplier steady;
    private long micros;
    private long steadyBefore;
    private long kept;

    /** @param steady milliseconds of a clock that only goes forward */
    AgendaClock(TypedStore<Long> store, InstantSource wall, LongSupplier steady) {
        this.store = store;
        this.wall = wall;
        this.steady = steady;
        this.steadyBefore = steady.getAsLong();
        Long former = store.get(KEY);
        long now = wall.millis();
        this.kept = former != null && former - now <= FAR.toMillis() ? former : 0;
        this.micros = Math.max(now, kept) * MICROS_PER_MILLI;
    }

    /** The time of the agenda. */
    public Instant now() {
        long steadyNow = steady.getAsLong();
        long passed = Math.max(0, steadyNow - steadyBefore) * MICROS_PER_MILLI;
        steadyBefore = steadyNow;
        micros = Math.clamp(wall.millis() * MICROS_PER_MILLI, micros + passed / 2, micros + 2 * passed);
        return Instant.ofEpochMilli(micros / MICROS_PER_MILLI);
    }

    /** What the wall clock says; for stamps, and for what others reckon with. */
    public Instant wall() {
        return wall.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** To be called when something is written that may be due by this time later. */
    public void keep() {
        long now = now().toEpochMilli();
        if (now - kept >= KEEP_EVERY.toMillis()) {
            kept = now;
            store.put(KEY, now);
        }
    }
}
