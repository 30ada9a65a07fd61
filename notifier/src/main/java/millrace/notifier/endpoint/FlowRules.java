package millrace.notifier.endpoint;

import java.time.Duration;
import java.util.List;

/**
 * Limits for the attempts to one endpoint.
 *
 * @param startingCap attempts under way at once to an endpoint that nothing is known of
 * @param highestCap to which that may grow while the receiver keeps up
 * @param attemptsPerSecond at most, with as many at once after a pause
 * @param slowAfter attempts that take longer than this on average go in the slow lane
 * @param failuresToOpen failures in a row after which the breaker opens
 * @param probes pauses before the first, second, … probe of an open breaker; the last one is repeated
 * @param ramp from the first success until the breaker is closed; the rate doubles four times in it
 */
public record FlowRules(
        int startingCap,
        int highestCap,
        int attemptsPerSecond,
        Duration slowAfter,
        int failuresToOpen,
        List<Duration> probes,
        Duration ramp) {
    public FlowRules {
        probes = List.copyOf(probes);
        atLeastOne("the cap of attempts under way to an endpoint", startingCap);
        atLeastOne("the rate of an endpoint", attemptsPerSecond);
        atLeastOne("the failures that open a breaker", failuresToOpen);
        if (highestCap < startingCap) {
            throw new IllegalArgumentException(
                    "the highest cap of an endpoint, " + highestCap + ", is below its starting cap, " + startingCap);
        }
        if (probes.isEmpty() || probes.stream().anyMatch(p -> p.isNegative() || p.isZero())) {
            throw new IllegalArgumentException("there must be pauses between probes, each above 0: " + probes);
        }
    }

    /**
     * The pause before a probe in milliseconds, ±20 %, so that endpoints that failed together are not probed together.
     */
    long probePause(int probe, double random) {
        long millis = probes.get(Math.min(probe, probes.size() - 1)).toMillis();
        return Math.max(1, Math.round(millis * (0.8 + 0.4 * random)));
    }

    private static void atLeastOne(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, not " + value);
        }
    }
}
