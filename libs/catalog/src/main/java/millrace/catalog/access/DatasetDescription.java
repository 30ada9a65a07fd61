package millrace.catalog.access;

import java.time.Instant;
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
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.Granularity;
import org.jspecify.annotations.Nullable;

/**
 * A dataset as the describe operation shows it to an account.
 *
 * @param tableGranularity per granularity, the history that the account can access for at least one
 *     metric
 * @param data null where it is not known yet
 */
public record DatasetDescription(
        String table,
        String description,
        Map<String, History> tableGranularity,
        List<DatasetMetric> tableMetrics,
        List<Field> tableFilters,
        String price,
        @Nullable Data data) {

    /**
     * The current data.
     *
     * @param periods by granularity, the periods that have rows
     * @param accessible first days of the first and last of them that the account can access; null
     *     where it can access none
     */
    public record Data(
            String version,
            @Nullable Instant updatedAt,
            long rowCount,
            long entityCount,
            Map<String, DatasetFacts.Span> periods,
            DatasetFacts.@Nullable Span accessible,
            List<String> sampleEntities) {}

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
                dataset.priceRule().words(),
                null);
    }

    /** The same description with its current data. */
    public DatasetDescription with(String version, DatasetFacts facts) {
        return new DatasetDescription(
                table,
                description,
                tableGranularity,
                tableMetrics,
                tableFilters,
                price,
                new Data(
                        version,
                        facts.updatedAt(),
                        facts.rowCount(),
                        facts.entityCount(),
                        facts.periods(),
                        accessible(facts),
                        facts.sampleEntities()));
    }

    private DatasetFacts.@Nullable Span accessible(DatasetFacts facts) {
        List<DatasetFacts.Span> spans = new ArrayList<>();
        facts.periods().forEach((granularity, data) -> {
            History history = tableGranularity.get(granularity);
            LocalDate start = history == null ? null : history.startDate();
            LocalDate end = history == null ? null : history.endDate();
            if (start != null && end != null) {
                LocalDate first = data.first().isAfter(start) ? data.first() : start;
                LocalDate last = data.last().isBefore(end) ? data.last() : end;
                if (!last.isBefore(first)) {
                    spans.add(new DatasetFacts.Span(first, last));
                }
            }
        });
        return spans.stream()
                .reduce((a, b) -> new DatasetFacts.Span(
                        a.first().isBefore(b.first()) ? a.first() : b.first(),
                        a.last().isAfter(b.last()) ? a.last() : b.last()))
                .orElse(null);
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
