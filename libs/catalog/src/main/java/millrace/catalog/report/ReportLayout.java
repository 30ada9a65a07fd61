package millrace.catalog.report;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.dataset.OrderTerm;
import millrace.contracts.requests.ReportQuery;

/**
 * The columns, the order and the rows of a query's file.
 *
 * @param keyColumns columns of the file, in order
 * @param metrics in the order of the request
 * @param order a complete order over the key columns of the file and metrics, which need not be in
 *     the file
 * @param filters every restriction by values other than entity, country and date
 * @param rowCap most rows per entity, country and period
 * @param capEnforced whether the query must enforce the cap by keeping the first rows of the order;
 *     otherwise the key columns allow no more
 */
public record ReportLayout(
        List<KeyColumn> keyColumns,
        List<DatasetMetric> metrics,
        List<OrderTerm> order,
        List<ColumnFilter> filters,
        long rowCap,
        boolean capEnforced) {

    /**
     * Restricts a column to these values.
     *
     * @param values as in the warehouse; integers in decimal
     */
    public record ColumnFilter(String column, ColumnType type, List<String> values) {}

    public static ReportLayout of(Dataset dataset, ReportQuery query) {
        Set<String> dropped = dataset.filters().stream()
                .filter(f -> f.total() != null && !query.filters().containsKey(f.column()))
                .map(DatasetFilter::column)
                .collect(Collectors.toUnmodifiableSet());
        return new ReportLayout(
                dataset.keyColumns().stream()
                        .filter(k -> !dropped.contains(k.name()))
                        .toList(),
                dataset.metrics(query),
                dataset.rowOrder().stream()
                        .filter(t -> !dropped.contains(t.column()))
                        .toList(),
                dataset.filters().stream().flatMap(f -> filter(f, query)).toList(),
                ReportEstimate.rowCap(dataset, query),
                dataset.openRows(query));
    }

    /** The column names of the header line. */
    public List<String> header() {
        return Stream.concat(
                        keyColumns.stream().map(KeyColumn::name),
                        metrics.stream().map(DatasetMetric::name))
                .toList();
    }

    private static Stream<ColumnFilter> filter(DatasetFilter filter, ReportQuery query) {
        ColumnType type = filter.kind() == DatasetFilter.Kind.INTEGER ? ColumnType.INTEGER : ColumnType.TEXT;
        List<String> named = query.filters().get(filter.column());
        String total = filter.total();
        if (named != null) {
            return Stream.of(new ColumnFilter(filter.column(), type, named));
        }
        if (total != null) {
            return Stream.of(new ColumnFilter(filter.column(), type, List.of(total)));
        }
        return filter.values().isEmpty()
                ? Stream.empty()
                : Stream.of(new ColumnFilter(filter.column(), type, filter.values()));
    }
}
