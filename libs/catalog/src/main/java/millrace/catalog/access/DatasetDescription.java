package millrace.catalog.access;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.RequestFields;
import millrace.contracts.requests.Granularity;
import org.jspecify.annotations.Nullable;

/**
 * A dataset as the describe operation shows it to an account.
 *
 * @param tableGranularity per granularity, the history that the account can access for at least one
 *     metric
 */
public record DatasetDescription(
        String table,
        String description,
        Map<String, History> tableGranularity,
        List<DatasetMetric> tableMetrics,
        List<Field> tableFilters,
        String price) {

    /** First days of the first and last accessible periods; null where there are none. */
    public record History(
            @Nullable LocalDate startDate, @Nullable LocalDate endDate) {}

    /**
     * A request field that selects rows.
     *
     * @param type {@code string}, {@code integer} or {@code boolean}
     * @param values the allowed values; null where any is allowed
     */
    public record Field(
            String name,
            List<String> spellings,
            String type,
            boolean required,
            @Nullable List<String> values) {}

    public static DatasetDescription of(Dataset dataset, Entitlements entitlements) {
        Map<String, History> granularities = new LinkedHashMap<>();
        for (Granularity granularity : dataset.granularities()) {
            granularities.put(granularity.word(), history(dataset, granularity, entitlements));
        }
        return new DatasetDescription(
                dataset.name(),
                dataset.description(),
                granularities,
                dataset.metrics(),
                fields(dataset),
                dataset.priceRule().words());
    }

    private static History history(Dataset dataset, Granularity granularity, Entitlements entitlements) {
        List<AccessiblePeriods> perMetric = dataset.metrics().stream()
                .filter(m -> m.granularities().contains(granularity))
                .filter(m -> m.categories().stream()
                        .allMatch(c -> entitlements.access(c).isPresent()))
                .flatMap(m -> AccessiblePeriods.of(
                        granularity, entitlements.grants(m.categories()).keySet())
                        .stream())
                .toList();
        return new History(
                perMetric.stream()
                        .map(AccessiblePeriods::first)
                        .min(Comparator.naturalOrder())
                        .orElse(null),
                perMetric.stream()
                        .map(AccessiblePeriods::last)
                        .max(Comparator.naturalOrder())
                        .orElse(null));
    }

    private static List<Field> fields(Dataset dataset) {
        List<Field> fields = new ArrayList<>();
        fields.add(field(dataset.entity().field(), "string", true));
        fields.add(field(RequestFields.COUNTRIES, "string", dataset.defaultCountry() == null));
        if (dataset.hasSubdomains()) {
            fields.add(new Field(RequestFields.SUBDOMAINS, RequestFields.SUBDOMAINS_SPELLINGS, "boolean", false, null));
        }
        dataset.filters().stream().map(DatasetDescription::field).forEach(fields::add);
        return fields;
    }

    private static Field field(String name, String type, boolean required) {
        return new Field(name, List.of(name), type, required, null);
    }

    private static Field field(DatasetFilter filter) {
        return new Field(
                filter.field(),
                filter.spellings(),
                filter.kind() == DatasetFilter.Kind.INTEGER ? "integer" : "string",
                false,
                filter.values().isEmpty() ? null : filter.values());
    }
}
