package millrace.notifier.delivery.flow;

import java.time.Instant;
import millrace.contracts.delivery.EndpointState;
import org.jspecify.annotations.Nullable;

/**
 * Decides when attempts to one endpoint may start, from its rate, its cap, its breaker and the {@code Retry-After} of
 * its answers. Not thread-safe.
 */
public final class EndpointFlow {
    /** So many answers in a row must ask to wait until the whole endpoint waits, since a single URL may be busy. */
    private static final int ENOUGH = 3;

    private final CircuitBreaker breaker;
    private final InFlightLimit window;
    private final AttemptRate rate;
    private long pausedUntil = Long.MIN_VALUE;
    private int askedToWait;

    public EndpointFlow(FlowRules rules) {
        this.breaker = new CircuitBreaker(rules);
        this.window = new InFlightLimit(rules);
        this.rate = new AttemptRate(rules.attemptsPerSecond());
    }

    public CircuitBreaker breaker() {
        return breaker;
    }

    /** Whether attempts take so long that they are in the slow lane. */
    public boolean slow() {
        return window.slow();
    }

    /** Number of attempts that may be under way at once. */
    public int cap() {
        return breaker.open() ? 1 : window.cap();
    }

    /** When the next attempt may start, in milliseconds since the epoch. */
    public long nextStart() {
        long start = Math.max(rate.next(), pausedUntil);
        return breaker.open() ? Math.max(start, breaker.nextProbe()) : start;
    }

    public void started(long now) {
        rate.take(now, breaker.halvings(now));
    }

    /**
     * Adapts to the result of an attempt.
     *
     * @param inFlight number of attempts that were under way, this one included
     * @param random from 0 to 1
     */
    public void ended(AttemptResult outcome, long startedAt, long now, int inFlight, double random) {
        switch (outcome.sign()) {
            case GOOD -> {
                boolean wasOpen = breaker.open();
                askedToWait = 0;
                breaker.succeeded(now);
                window.succeeded(startedAt, now, inFlight >= cap());
                if (wasOpen) {
                    restartSlowly(now);
                }
            }
            case BUSY -> window.failed(startedAt, now);
            case BAD -> {
                window.failed(startedAt, now);
                breaker.failed(startedAt, now, random);
            }
        }
        pause(outcome.pauseUntil(), now);
    }

    /** Lets attempts start at once, since an operator or the account says that the receiver works. */
    public void enable(long now) {
        pausedUntil = Long.MIN_VALUE;
        if (breaker.open()) {
            restartSlowly(now);
        }
        breaker.enable(now);
    }

    /** Takes over the state of a former owner. */
    public void restore(EndpointState state) {
        Instant openSince = state.openSince();
        Instant nextProbe = state.nextProbeAt();
        if (state.breaker() == EndpointState.Breaker.OPEN && openSince != null && nextProbe != null) {
            breaker.restore(state.consecutiveFailures(), openSince.toEpochMilli(), nextProbe.toEpochMilli());
        }
    }

    private void restartSlowly(long now) {
        window.shrink();
        rate.empty(now);
    }

    private void pause(@Nullable Instant until, long now) {
        if (until != null && ++askedToWait >= ENOUGH) {
            long latest = now + RetrySchedule.MAX_RETRY_AFTER.toMillis();
            pausedUntil = Math.max(pausedUntil, Math.min(until.toEpochMilli(), latest));
        }
    }
}
