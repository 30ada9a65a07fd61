package millrace.notifier.delivery.flow;

/**
 * How many attempts to one endpoint may be under way: a little more while it is full and the receiver keeps up, half of it
 * after a failure, less when attempts take much longer than the receiver has shown it can. For one thread.
 */
final class InFlightLimit {
    /** Of an attempt in the average of all. */
    private static final double WEIGHT = 0.2;
    /** Nothing is learnt from differences below. */
    private static final double NOISE_MILLIS = 50;

    private static final double LATE = 3;
    /** How fast the best time is forgotten. */
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

    /** Whether attempts take long. */
    boolean slow() {
        return average > rules.slowAfter().toMillis();
    }

    /** @param full whether as many were under way as were allowed */
    void succeeded(long startedAt, long now, boolean full) {
        long took = measure(startedAt, now);
        best = Math.min(best * AGEING, Math.max(1.0, (double) took));
        if (took > LATE * best + NOISE_MILLIS) {
            less(0.8, startedAt, now);
        } else if (full) {
            // Doubles with each round of answers until it is where it started, then grows by one with each.
            cap = Math.min(rules.highestCap(), cap + (cap < rules.startingCap() ? 1 : 1 / cap));
        }
    }

    void failed(long startedAt, long now) {
        measure(startedAt, now);
        less(0.5, startedAt, now);
    }

    /** The receiver was unavailable: it is tried again with one attempt. */
    void shrink() {
        cap = 1;
    }

    /** Once for all attempts that were under way together. */
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
