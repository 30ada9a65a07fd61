package millrace.processor.warehouse;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.report.Periods;
import millrace.catalog.report.ReportLayout;
import millrace.catalog.report.ReportLayout.ColumnFilter;
import millrace.catalog.text.SortedTextSet;
import millrace.contracts.requests.ReportQuery;

/**
 * Selects the rows of one slice.
 *
 * @param query the request, whose entities are sorted by their UTF-8 bytes
 * @param version of the dataset's data
 * @param dense whether the slice is one of very many, so that most rows between its first and last entity belong to it
 * @param longFilters all values of the filters that are too long for the engine, by column; the reader of the rows
 *     applies them. Their columns are in the file
 */
public record SliceQuery(
        Dataset dataset,
        ReportLayout layout,
        ReportQuery query,
        String version,
        boolean dense,
        Map<String, SortedTextSet> longFilters) {
    /** Largest number of values of a filter that go into a statement, once for each of its branches. */
    private static final int SHORT = 1_000;

    /** A column as the catalog declares it. */
    public record Column(String name, ColumnType type) {}

    public static SliceQuery of(Dataset dataset, ReportQuery query, String version) {
        return of(dataset, query, version, Map.of());
    }

    /** @param lists all values of filters of which the query has only the first ones, by column */
    public static SliceQuery of(Dataset dataset, ReportQuery query, String version, Map<String, SortedTextSet> lists) {
        ReportLayout layout = ReportLayout.of(dataset, query);
        var longFilters = new HashMap<>(lists);
        layout.filters().stream()
                .filter(f -> isLong(f.values().size()))
                .forEach(f -> longFilters.put(f.column(), texts(f.values())));
        return new SliceQuery(dataset, layout, query, version, false, Map.copyOf(longFilters));
    }

    /** Whether a filter with so many values is too long for the engine. */
    public static boolean isLong(int values) {
        return values > SHORT;
    }

    private static SortedTextSet texts(List<String> values) {
        var texts = new SortedTextSet(values.size());
        values.forEach(texts::add);
        return texts;
    }

    /** The same query, marked as dense. */
    public SliceQuery ofMany() {
        return new SliceQuery(dataset, layout, query, version, true, longFilters);
    }

    public List<String> entities() {
        return query.entities();
    }

    /** The columns of the report, in their order. */
    public List<Column> columns() {
        return columns(layout.keyColumns(), layout.metrics());
    }

    /** The type of a column of the dataset; empty if it declares none. */
    public Optional<ColumnType> type(String column) {
        return columns(dataset).stream()
                .filter(one -> one.name().equals(column))
                .map(Column::type)
                .findFirst();
    }

    /** All columns of a dataset. */
    public static List<Column> columns(Dataset dataset) {
        return columns(dataset.keyColumns(), dataset.metrics());
    }

    private static List<Column> columns(List<KeyColumn> keys, List<DatasetMetric> metrics) {
        return Stream.concat(
                        keys.stream().map(key -> new Column(key.name(), key.type())),
                        metrics.stream().map(metric -> new Column(metric.name(), metric.type())))
                .toList();
    }

    /** The filters that the engine applies besides the entity: the country, and each filter that is short enough. */
    public List<ColumnFilter> filters() {
        var country = new ColumnFilter(KeyColumn.COUNTRY, ColumnType.TEXT, query.countries());
        return Stream.concat(
                        Stream.of(country), layout.filters().stream().filter(f -> !longFilters.containsKey(f.column())))
                .toList();
    }

    /** The metrics that the query reads and a table with these columns lacks: their figures are absent. */
    public List<DatasetMetric> absentFrom(Set<String> columns) {
        return dataset.metrics().stream()
                .filter(metric -> !columns.contains(metric.name()))
                .filter(metric -> layout.metrics().contains(metric)
                        || layout.order().stream()
                                .anyMatch(term -> term.column().equals(metric.name())))
                .toList();
    }

    /** The greatest number of rows that one entity can have. */
    public long rowsPerEntity() {
        return query.countries().size() * Periods.count(query.dates()) * layout.rowCap();
    }
}
