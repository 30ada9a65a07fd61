package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.data.examples.ExampleSql.ExampleRow;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Chooses a short query that finds some of the sampled rows. Pure. */
final class ExampleChoice {
    private static final int METRICS = 2;
    private static final int ENTITIES = 2;
    private static final int MONTHS = 2;
    private static final int DAYS = 14;
    /** Preferred countries. */
    private static final List<String> COUNTRIES = List.of("US", "WW");

    private static final Pattern PLAIN = Pattern.compile("\\p{L}[\\p{L}\\p{N} .-]*");

    private final Dataset dataset;

    ExampleChoice(Dataset dataset) {
        this.dataset = dataset;
    }

    private record Group(Granularity granularity, String country) {}

    /**
     * The query; empty where no row has a metric.
     *
     * @param filters of the query, which the rows satisfy
     */
    Optional<ReportQuery> of(List<ExampleRow> rows, Map<String, List<String>> filters) {
        Map<Group, List<ExampleRow>> groups =
                rows.stream().collect(Collectors.groupingBy(row -> new Group(row.granularity(), row.country())));
        return groups.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(preference()))
                .flatMap(group -> query(group.getKey(), group.getValue(), filters).stream())
                .findFirst();
    }

    private Comparator<Group> preference() {
        List<Granularity> granularities =
                dataset.metrics().getFirst().granularities().stream().toList();
        return Comparator.<Group>comparingInt(g -> place(granularities, g.granularity()))
                .thenComparingInt(g -> place(COUNTRIES, g.country()))
                .thenComparing(Group::granularity)
                .thenComparing(Group::country);
    }

    private static <T> int place(List<T> preferred, T value) {
        int at = preferred.indexOf(value);
        return at < 0 ? preferred.size() : at;
    }

    /** Whether the entity would confuse readers: data may have keywords that are punctuation only. */
    private static boolean confusing(String entity) {
        return !PLAIN.matcher(entity).matches();
    }

    private Optional<ReportQuery> query(Group group, List<ExampleRow> rows, Map<String, List<String>> filters) {
        List<String> metrics = dataset.metrics().stream()
                .filter(m -> m.granularities().contains(group.granularity()))
                .map(DatasetMetric::name)
                .filter(name -> rows.stream().anyMatch(row -> row.metrics().contains(name)))
                .limit(METRICS)
                .toList();
        if (metrics.isEmpty()) {
            return Optional.empty();
        }
        List<ExampleRow> valued = rows.stream()
                .filter(row -> row.metrics().contains(metrics.getFirst()))
                .toList();
        LocalDate last = valued.stream()
                .map(ExampleRow::date)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        LocalDate earliest =
                group.granularity() == Granularity.MONTHLY ? last.minusMonths(MONTHS) : last.minusDays(DAYS);
        List<ExampleRow> recent =
                valued.stream().filter(row -> !row.date().isBefore(earliest)).toList();
        LocalDate first = recent.stream()
                .map(ExampleRow::date)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        List<String> entities = recent.stream()
                .map(ExampleRow::entity)
                .distinct()
                .sorted(Comparator.comparing(ExampleChoice::confusing).thenComparing(Comparator.naturalOrder()))
                .limit(ENTITIES)
                .sorted()
                .toList();
        return Optional.of(new ReportQuery(
                dataset.name(),
                entities,
                List.of(group.country()),
                metrics,
                new ReportQuery.Dates(group.granularity(), first, last),
                filters,
                false,
                null,
                ReportQuery.Output.CSV));
    }
}
