package millrace.catalog.dataset;

import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures that a metric can have, both ends included. The import refuses others.
 *
 * @param from null where there is no least figure
 * @param to null where there is no greatest figure
 */
public record ValueRange(
        @Nullable BigDecimal from, @Nullable BigDecimal to) {
    private static final ValueRange FRACTION = new ValueRange(BigDecimal.ZERO, BigDecimal.ONE);
    private static final ValueRange PERCENT = new ValueRange(BigDecimal.ZERO, BigDecimal.valueOf(100));

    public ValueRange {
        if (from == null && to == null) {
            throw new IllegalArgumentException("names neither from nor to");
        }
        if (from != null && to != null && from.compareTo(to) > 0) {
            throw new IllegalArgumentException("from: " + from.toPlainString() + " is above " + to.toPlainString());
        }
    }

    /** The range that the unit of a figure means; empty where it means none. */
    static Optional<ValueRange> ofUnit(String unit) {
        return switch (unit) {
            case DatasetMetric.FRACTION -> Optional.of(FRACTION);
            case DatasetMetric.PERCENT -> Optional.of(PERCENT);
            default -> Optional.empty();
        };
    }

    public boolean contains(double value) {
        return (from == null || value >= from.doubleValue()) && (to == null || value <= to.doubleValue());
    }

    /** For example {@code from 1 to 100}. */
    public String words() {
        String least = from == null ? "" : "from " + from.toPlainString();
        String most = to == null ? "" : (from == null ? "up to " : " to ") + to.toPlainString();
        return least + most;
    }
}
