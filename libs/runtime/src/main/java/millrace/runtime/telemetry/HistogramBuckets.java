package millrace.runtime.telemetry;

import java.time.Duration;

/** Bounds of histograms, the same in all services, so that their figures can be compared. */
public final class HistogramBuckets {
    private static final Duration[] CALLS = millis(1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000);
    private static final Duration[] REPORTS =
            millis(10, 50, 100, 250, 1000, 5000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000);

    private HistogramBuckets() {}

    /** For what takes milliseconds. */
    public static Duration[] calls() {
        return CALLS.clone();
    }

    /** For what may take an hour. */
    public static Duration[] reports() {
        return REPORTS.clone();
    }

    private static Duration[] millis(long... bounds) {
        return java.util.Arrays.stream(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
