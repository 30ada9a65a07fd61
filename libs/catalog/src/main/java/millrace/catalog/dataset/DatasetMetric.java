package millrace.catalog.dataset;

import java.util.EnumSet;
import java.util.List;
import millrace.catalog.text.Text;
import millrace.contracts.requests.Granularity;
import org.jspecify.annotations.Nullable;

/**
 * A figure that requests can name; its column has the same name.
 *
 * @param unit for example {@code fraction}, {@code seconds}, {@code USD}
 * @param granularities for which the warehouse has it
 * @param categories capability categories that an account needs for it, all of them
 * @param reveals for an overlap metric: the key column whose domain a value reveals; else null
 */
public record DatasetMetric(
        String name,
        ColumnType type,
        String unit,
        String meaning,
        List<Granularity> granularities,
        List<CapabilityCategory> categories,
        @Nullable String reveals) {

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
        granularities = List.copyOf(EnumSet.copyOf(granularities));
        categories = List.copyOf(EnumSet.copyOf(categories));
    }

    /** Whether a value reveals a domain, which the price rule may charge. */
    public boolean overlap() {
        return reveals != null;
    }
}
