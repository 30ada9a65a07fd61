package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import millrace.catalog.text.Text;
import millrace.contracts.requests.Granularity;
import org.jspecify.annotations.Nullable;

/**
 * A figure that requests can name; its column has the same name.
 *
 * @param unit for example {@code seconds} or {@code USD}; {@code fraction} means figures from 0 to 1,
 *     {@code percent} from 0 to 100, unless there is another range
 * @param granularities for which the warehouse has it
 * @param categories capability categories that an account needs for it, all of them
 * @param reveals for an overlap metric: the key column whose domain a value reveals; else null
 * @param range the figures that it can have; null where there can be any
 * @param without fields of filters that a request for it cannot have, because the data have its
 *     figures over all of their values only; may be empty
 */
public record DatasetMetric(
        String name,
        ColumnType type,
        String unit,
        String meaning,
        List<Granularity> granularities,
        List<CapabilityCategory> categories,
        @Nullable String reveals,
        @Nullable ValueRange range,
        @Nullable List<String> without) {
    /** The unit of shares and rates from 0 to 1. */
    public static final String FRACTION = "fraction";
    /** The unit of shares and rates from 0 to 100. */
    public static final String PERCENT = "percent";

    public DatasetMetric {
        Text.identifier("name", name);
        if (type == ColumnType.DATE) {
            throw new IllegalArgumentException("type: a metric is text, integer or double, not date");
        }
        if (unit.isBlank()) {
            throw new IllegalArgumentException("unit: is empty");
        }
        if (meaning.isBlank()) {
            throw new IllegalArgumentException("meaning: is empty");
        }
        if (granularities.isEmpty()) {
            throw new IllegalArgumentException("granularities: at least one is needed");
        }
        if (categories.isEmpty()) {
            throw new IllegalArgumentException("categories: at least one is needed");
        }
        if (type == ColumnType.TEXT && range != null) {
            throw new IllegalArgumentException("range: only figures have a range, not text");
        }
        if (type != ColumnType.TEXT && range == null) {
            range = ValueRange.ofUnit(unit).orElse(null);
        }
        without = without == null ? List.of() : List.copyOf(without);
        if (new HashSet<>(without).size() < without.size()) {
            throw new IllegalArgumentException("without: the same field twice");
        }
        granularities = List.copyOf(EnumSet.copyOf(granularities));
        categories = List.copyOf(EnumSet.copyOf(categories));
    }

    @Override
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public List<String> without() {
        return without == null ? List.of() : without;
    }

    /** Whether a value reveals a domain, which the price rule may charge. */
    public boolean overlap() {
        return reveals != null;
    }
}
