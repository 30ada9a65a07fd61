package millrace.simulation.kafka.network;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** What goes wrong between clients and broker; may be changed at any time. */
public final class NetworkFaults {
    private long leastNanos = 200_000;
    private long mostNanos = 2_000_000;
    private long visibilityNanos;
    private double lostAcknowledgements;
    private long unavailableUntil;

    /** The time that a request takes, and its response. */
    public void latency(Duration least, Duration most) {
        leastNanos = least.toNanos();
        mostNanos = most.toNanos();
    }

    /** Extra time between the end of a transaction and its markers, at most. */
    public void visibilityDelay(Duration most) {
        visibilityNanos = most.toNanos();
    }

    /**
     * What was asked for was done, but its answer is lost; the client asks again.
     *
     * @param probability of each answer to a write or to the end of a transaction
     */
    public void lostAcknowledgements(double probability) {
        lostAcknowledgements = probability;
    }

    /**
     * Requests wait until then.
     *
     * @param simulatedNanos by the scheduler's clock
     */
    public void unavailableUntil(long simulatedNanos) {
        unavailableUntil = simulatedNanos;
    }

    /** How long it is still unavailable, in nanoseconds; 0 or less while it is not. */
    public long unavailableNanos(long now) {
        return unavailableUntil - now;
    }

    /** Draws the time of a request or a response, in nanoseconds. */
    public long latency(RandomGenerator random) {
        return leastNanos >= mostNanos ? leastNanos : random.nextLong(leastNanos, mostNanos);
    }

    /** Draws the time between the end of a transaction and one of its markers, in nanoseconds. */
    public long markerDelay(RandomGenerator random) {
        return latency(random) + (visibilityNanos == 0 ? 0 : random.nextLong(visibilityNanos));
    }

    boolean losesAcknowledgement(RandomGenerator random) {
        return lostAcknowledgements > 0 && random.nextDouble() < lostAcknowledgements;
    }
}
