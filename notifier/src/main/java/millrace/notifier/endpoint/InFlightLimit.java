package millrace.notifier.endpoint;

/**
 * Limits the attempts under way to one endpoint. The limit grows while it is reached and the receiver keeps up, halves
 * after a failure, and shrinks when attempts take much longer than the receiver's best times. Not thread-safe.
 */
final class InFlightLimit {
    /** Weight of one attempt in the moving average. */
    private static final double WEIGHT = 0.2;
    /** Smaller differences are ignored. */
    private static final double NOISE_MILLIS = 50;

    private static final double LATE = 3;
    /** The best time grows by this factor with each attempt, so that it follows a receiver that becomes slower. */
    private static final double AGEING = 1.01;

    private final FlowRules rules;
    private double cap;
    private double average;
    private double best = Double.MAX_VALUE;
    private long lessSince = Long.MIN_VALUE;

    InFlightLimit(FlowRules rules) {
        this.rules = rules;
        this.cap = rules.startingCap();
    }

    int cap() {
        return (int) cap;
    }

    /** Whether attempts take long enough for the slow lane. */
    boolean slow() {
        return average > rules.slowAfter().toMillis();
    }

    /** @param full whether the limit was reached */
    void succeeded(long startedAt, long now, boolean full) {
        long took = measure(startedAt, now);
        best = Math.min(best * AGEING, Math.max(1.0, (double) took));
        if (took > LATE * best + NOISE_MILLIS) {
            less(0.8, startedAt, now);
        } else if (full) {
            // Below the starting cap the limit doubles with each round of answers, above it grows by one with each.
            cap = Math.min(rules.highestCap(), cap + (cap < rules.startingCap() ? 1 : 1 / cap));
        }
    }

    void failed(long startedAt, long now) {
        measure(startedAt, now);
        less(0.5, startedAt, now);
    }

    /** Limits to one attempt, since the receiver was unavailable. */
    void shrink() {
        cap = 1;
    }

    /** Shrinks the limit, once for all attempts that were under way together. */
    private void less(double factor, long startedAt, long now) {
        if (startedAt >= lessSince) {
            cap = Math.max(1, cap * factor);
            lessSince = now;
        }
    }

    private long measure(long startedAt, long now) {
        long took = Math.max(0, now - startedAt);
        average = average == 0 ? took : average + WEIGHT * (took - average);
        return took;
    }
}
