package millrace.simulation.kafka.network;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The faults between clients and broker; they may be changed at any time. */
public final class NetworkFaults {
    private long leastNanos = 200_000;
    private long mostNanos = 2_000_000;
    private long visibilityNanos;
    private double lostAcknowledgements;
    private long unavailableUntil;

    /** Sets the time that a request, and that a response takes. */
    public void latency(Duration least, Duration most) {
        leastNanos = least.toNanos();
        mostNanos = most.toNanos();
    }

    /** Sets the greatest additional time between the end of a transaction and its markers. */
    public void visibilityDelay(Duration most) {
        visibilityNanos = most.toNanos();
    }

    /**
     * Lets answers get lost after the broker has handled the request; the client repeats it.
     *
     * @param probability for each answer to a write or to the end of a transaction
     */
    public void lostAcknowledgements(double probability) {
        lostAcknowledgements = probability;
    }

    /**
     * Makes the broker unavailable; requests wait until then.
     *
     * @param simulatedNanos by the scheduler's clock
     */
    public void unavailableUntil(long simulatedNanos) {
        unavailableUntil = simulatedNanos;
    }

    /** How long the broker will be unavailable, in nanoseconds; 0 or less while it is available. */
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
