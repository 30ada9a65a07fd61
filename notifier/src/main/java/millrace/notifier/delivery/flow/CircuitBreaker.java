package millrace.notifier.delivery.flow;

import millrace.contracts.delivery.EndpointState;

/**
 * Opens after several failures in a row. While it is open one event tries now and then, each time after a longer pause; the
 * first success lets more and more follow. For one thread.
 */
public final class CircuitBreaker {
    /** The rate doubles so often between the first success and the end of the ramp. */
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

    /** Attempts since the last success. */
    public int failures() {
        return failures;
    }

    /** When it opened; what it says while it is closed means nothing. */
    public long openSince() {
        return openSince;
    }

    /** When the next event tries; only while it is open. */
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
     * @param startedAt of the attempt; one from before the breaker opened tells nothing new
     * @param random from 0 to 1
     * @return whether it has just opened
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

    /** Somebody says that the receiver works: it is tried at once. */
    void enable(long now) {
        probe = 0;
        failures = 0;
        if (open) {
            open = false;
            rampSince = now;
        }
    }

    /** As somebody else left it. */
    void restore(int formerFailures, long formerOpenSince, long formerNextProbe) {
        open = true;
        failures = formerFailures;
        openSince = formerOpenSince;
        nextProbe = formerNextProbe;
        // It does not start with the shortest pause again.
        probe = Math.clamp(
                (long) formerFailures - rules.failuresToOpen(),
                0,
                rules.probes().size() - 1);
    }

    /** The part of the full rate that may be used, as the power of two that divides it. */
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
