package millrace.notifier.endpoint;

import java.time.Instant;
import millrace.contracts.delivery.EndpointState;

/** Decides when attempts to one endpoint may start, from its rate, its cap and its breaker. Not thread-safe. */
public final class EndpointFlow {
    private final FlowRules rules;
    private final CircuitBreaker breaker;
    private final InFlightLimit window;
    private final AttemptRate rate;
    private long pausedUntil = Long.MIN_VALUE;

    public EndpointFlow(FlowRules rules) {
        this.rules = rules;
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
    int cap() {
        return breaker.open() ? 1 : window.cap();
    }

    /** When the next attempt may start, in milliseconds since the epoch. */
    public long nextStart() {
        long start = Math.max(rate.next(), pausedUntil);
        return breaker.holdsAll() ? Math.max(start, breaker.nextProbe()) : start;
    }

    public void started(long now) {
        rate.take(now, breaker.halvings(now));
    }

    /**
     * Adapts to the result of an attempt.
     *
     * @param url of the attempt, its hash
     * @param failsAlone whether it is known that this URL fails while others do not
     * @param inFlight number of attempts that were under way, this one included
     * @param random from 0 to 1
     */
    public void ended(
            AttemptResult outcome, int url, boolean failsAlone, long startedAt, long now, int inFlight, double random) {
        switch (outcome.sign()) {
            case GOOD -> {
                boolean recovered = breaker.succeeded(url, now);
                window.succeeded(startedAt, now, inFlight >= cap());
                if (recovered) {
                    restartSlowly(now);
                }
            }
            case BUSY -> window.failed(startedAt, now);
            case BAD -> {
                window.failed(startedAt, now);
                if (!failsAlone) {
                    breaker.failed(url, outcome.answered(), startedAt, now, random);
                }
            }
        }
    }

    /** The pause before a URL that is held is tried again, in milliseconds. */
    long probePause(int probe, double random) {
        return rules.probePause(probe, random);
    }

    /** No attempt starts until then, in milliseconds since the epoch. */
    public void pause(long until) {
        pausedUntil = Math.max(pausedUntil, until);
    }

    long pausedUntil() {
        return pausedUntil;
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

    /**
     * A token bucket that holds the tokens of one second, stored as the time at which it would be full again. Not
     * thread-safe.
     */
    private static final class AttemptRate {
        private static final long SECOND_MICROS = 1_000_000;

        private final long microsEach;
        private long fullAtMicros = Long.MIN_VALUE / 2;

        AttemptRate(int perSecond) {
            this.microsEach = SECOND_MICROS / perSecond;
        }

        /** When the next token is available, in milliseconds since the epoch. */
        long next() {
            return Math.ceilDiv(fullAtMicros - SECOND_MICROS + microsEach, 1000L);
        }

        /**
         * Takes a token.
         *
         * @param halvings how often the rate is halved
         */
        void take(long now, int halvings) {
            fullAtMicros = Math.max(fullAtMicros, now * 1000) + (microsEach << halvings);
        }

        /** Removes all tokens. */
        void empty(long now) {
            fullAtMicros = Math.max(fullAtMicros, now * 1000 + SECOND_MICROS - microsEach);
        }
    }
}
