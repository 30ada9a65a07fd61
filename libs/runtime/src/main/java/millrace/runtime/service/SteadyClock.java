package millrace.runtime.service;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of a process: milliseconds that the monotonic clock counts, for all that the process measures and plans, so
 * that nothing stops or hurries when somebody sets the wall clock. It begins with the time of the wall clock, and
 * translates from it and to it, for what is stored and for what others read. Thread-safe.
 */
public final class SteadyClock {
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A smaller difference comes from reading two clocks one after the other. */
    private static final long NOISE_MILLIS = 100;

    private final InstantSource wall;
    private final LongSupplier nanos;
    private final long begin;
    private final long beganAt;
    /** How far the wall clock is ahead of this one, since it was set. */
    private volatile long ahead;

    public SteadyClock(ServiceThreads threads) {
        this(threads.clock(), threads::nanoTime);
    }

    /** @param nanos a clock that does not go back, as {@link System#nanoTime} */
    public SteadyClock(InstantSource wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
        this.begin = wall.millis();
        this.beganAt = nanos.getAsLong();
    }

    /** Now. */
    public long millis() {
        return begin + (nanos.getAsLong() - beganAt) / NANOS_PER_MILLI;
    }

    /** Now, as the wall clock says it; for stamps, and to compare with those of others. */
    public Instant wall() {
        return wall.instant();
    }

    /** What the wall clock, as it is set now, says at a time of this clock. */
    public Instant wall(long millis) {
        return Instant.ofEpochMilli(millis + toWall());
    }

    /** The time of this clock at which the wall clock, as it is set now, says this. */
    public long of(Instant wall) {
        return wall.toEpochMilli() - toWall();
    }

    /**
     * What to add to points in time of a stored record, to have them as times of this clock. Where the wall clock is
     * behind the one that the record was written by, it counts as written now, so that nobody waits longer for a point
     * than its writer meant.
     *
     * @param writtenAt milliseconds since the epoch, by the wall clock of the writer
     */
    public long fromStored(long writtenAt) {
        long now = millis();
        return now - Math.max(now + toWall(), writtenAt);
    }

    /** What to add to times of this clock, to have them as the wall clock, as it is set now, says them. */
    public long toWall() {
        long known = ahead;
        long difference = wall.millis() - millis();
        if (Math.abs(difference - known) <= NOISE_MILLIS) {
            return known;
        }
        ahead = difference;
        return difference;
    }
}
