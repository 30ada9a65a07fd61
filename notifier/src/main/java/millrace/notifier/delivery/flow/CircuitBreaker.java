package millrace.notifier.delivery.flow;

import millrace.contracts.delivery.EndpointState;

/**
 * Opens after several failures in a row. While it is open, single events are sent as probes, after pauses that grow.
 * After the first success the rate grows until the breaker is closed. Not thread-safe.
 */
public final class CircuitBreaker {
    /** How often the rate doubles between the first success and the end of the ramp. */
    private static final int DOUBLINGS = 4;

    private final FlowRules rules;
    private boolean open;
    private int failures;
    private int probe;
    private long openSince;
    private long nextProbe;
    private long rampSince = Long.MIN_VALUE;

    CircuitBreaker(FlowRules rules) {
        this.rules = rules;
    }

    public EndpointState.Breaker state(long now) {
        if (open) {
            return EndpointState.Breaker.OPEN;
        }
        return ramping(now) ? EndpointState.Breaker.HALF_OPEN : EndpointState.Breaker.CLOSED;
    }

    public boolean open() {
        return open;
    }

    /** Number of failures since the last success. */
    public int failures() {
        return failures;
    }

    /** When the breaker opened; only valid while it is not closed. */
    public long openSince() {
        return openSince;
    }

    /** When the next probe may start; only valid while the breaker is open. */
    public long nextProbe() {
        return nextProbe;
    }

    void succeeded(long now) {
        failures = 0;
        if (open) {
            open = false;
            rampSince = now;
        } else if (!ramping(now)) {
            probe = 0;
        }
    }

    /**
     * @param startedAt of the attempt; an attempt from before the breaker opened is ignored
     * @param random from 0 to 1
     * @return whether the breaker has just opened
     */
    public boolean failed(long startedAt, long now, double random) {
        failures++;
        if (open) {
            if (startedAt >= openSince) {
                nextProbe = now + rules.probePause(++probe, random);
            }
            return false;
        }
        boolean again = ramping(now) && startedAt >= rampSince;
        if (!again && failures < rules.failuresToOpen()) {
            return false;
        }
        probe = again ? probe + 1 : 0;
        openSince = again ? openSince : now;
        open = true;
        nextProbe = now + rules.probePause(probe, random);
        return true;
    }

    /** Closes the breaker with a ramp, since an operator or the account says that the receiver works. */
    void enable(long now) {
        probe = 0;
        failures = 0;
        if (open) {
            open = false;
            rampSince = now;
        }
    }

    /** Takes over the state of a former owner. */
    void restore(int formerFailures, long formerOpenSince, long formerNextProbe) {
        open = true;
        failures = formerFailures;
        openSince = formerOpenSince;
        nextProbe = formerNextProbe;
        // The pauses go on where the former owner was, not with the shortest one.
        probe = Math.clamp(
                (long) formerFailures - rules.failuresToOpen(),
                0,
                rules.probes().size() - 1);
    }

    /** How often the full rate is halved now. */
    int halvings(long now) {
        if (!ramping(now)) {
            return 0;
        }
        long step = Math.max(1, rules.ramp().toMillis() / DOUBLINGS);
        return Math.clamp(DOUBLINGS - (now - rampSince) / step, 0, DOUBLINGS);
    }

    private boolean ramping(long now) {
        return rampSince != Long.MIN_VALUE && now - rampSince < rules.ramp().toMillis();
    }
}
