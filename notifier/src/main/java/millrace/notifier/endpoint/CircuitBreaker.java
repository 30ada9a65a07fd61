package millrace.notifier.endpoint;

import millrace.contracts.delivery.EndpointState;

/**
 * Opens after several failures in a row. While it is open, single events are sent as probes, after pauses that grow.
 * After the first success the rate grows until the breaker is closed. If all failures are answers of one URL, only
 * that one is known to fail, and events of others need not wait. Not thread-safe.
 */
public final class CircuitBreaker {
    /** How often the rate doubles between the first success and the end of the ramp. */
    private static final int DOUBLINGS = 4;

    private final FlowRules rules;
    private boolean open;
    private int failures;
    private boolean oneUrl;
    private int failing;
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

    /** Whether it is open, and not for one URL only. */
    public boolean holdsAll() {
        return open && !oneUrl;
    }

    /** From now on it is open for all URLs, since no single one can be held. */
    void holdAll() {
        oneUrl = false;
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

    /** Returns whether the endpoint, which was open, is to begin slowly. */
    boolean succeeded(int url, long now) {
        boolean ofOther = oneUrl && url != failing;
        boolean recovered = open && !ofOther;
        failures = 0;
        oneUrl = false;
        if (recovered) {
            rampSince = now;
        } else if (!open && !ramping(now)) {
            probe = 0;
        }
        open = false;
        return recovered;
    }

    /**
     * @param url of the attempt, its hash
     * @param answered whether the receiver answered
     * @param startedAt of the attempt; an attempt from before the breaker opened is ignored
     * @param random from 0 to 1
     */
    public void failed(int url, boolean answered, long startedAt, long now, double random) {
        failures++;
        oneUrl = answered && (failures == 1 || (oneUrl && url == failing));
        failing = url;
        if (open) {
            if (startedAt >= openSince) {
                nextProbe = now + rules.probePause(++probe, random);
            }
            return;
        }
        boolean again = ramping(now) && startedAt >= rampSince;
        if (!again && failures < rules.failuresToOpen()) {
            return;
        }
        probe = again ? probe + 1 : 0;
        openSince = again ? openSince : now;
        open = true;
        nextProbe = now + rules.probePause(probe, random);
    }

    /** Closes the breaker with a ramp, since an operator or the account says that the receiver works. */
    void enable(long now) {
        probe = 0;
        failures = 0;
        oneUrl = false;
        if (open) {
            open = false;
            rampSince = now;
        }
    }

    /** Takes over that all failures were answers of this URL. */
    void restoreOneUrl(int url) {
        oneUrl = true;
        failing = url;
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
