package millrace.bench.process;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/** Several measurements of the same quantity. */
public final class Measurements {
    private final double[] sorted;

    private Measurements(double[] sorted) {
        this.sorted = sorted;
    }

    public static Measurements of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Measurements(sorted);
    }

    public static Measurements of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    public double median() {
        return quantile(0.5);
    }

    /** @param q from 0 to 1; returns the nearest rank */
    public double quantile(double q) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted[Math.clamp((int) Math.ceil(q * sorted.length) - 1, 0, sorted.length - 1)];
    }

    /** Median, least and greatest. */
    @Override
    public String toString() {
        return text(median()) + " (" + text(quantile(0)) + " to " + text(quantile(1)) + ")";
    }

    /** Formats three digits, or all digits before the point. */
    public static String text(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.3g" : "%,.0f", value);
    }
}
