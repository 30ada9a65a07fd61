package millrace.processor.warehouse;

import java.util.List;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.report.Periods;
import millrace.catalog.report.ReportLayout;
import millrace.catalog.report.ReportLayout.ColumnFilter;
import millrace.contracts.requests.ReportQuery;

/**
 * The rows of one slice.
 *
 * @param query its entities are sorted by their UTF-8 bytes
 * @param version of the dataset's data
 * @param dense whether the slice is one of very many, so that between its first and its last entity the table holds little
 *     that was not asked for
 */
public record SliceQuery(Dataset dataset, ReportLayout layout, ReportQuery query, String version, boolean dense) {
    /** Values of a filter up to which they go into a statement, once for each of its branches. */
    private static final int SHORT = 1_000;

    public static SliceQuery of(Dataset dataset, ReportQuery query, String version) {
        return new SliceQuery(dataset, ReportLayout.of(dataset, query), query, version, false);
    }

    /** The same, as a slice of a report of very many entities. */
    public SliceQuery ofMany() {
        return new SliceQuery(dataset, layout, query, version, true);
    }

    public List<String> entities() {
        return query.entities();
    }

    /** What the engine restricts by values besides the entity: the country, and each filter that is not too long for it. */
    public List<ColumnFilter> filters() {
        var country = new ColumnFilter(KeyColumn.COUNTRY, ColumnType.TEXT, query.countries());
        return Stream.concat(Stream.of(country), layout.filters().stream().filter(f -> !isLong(f)))
                .toList();
    }

    /** What is left to be restricted by who reads the rows. Their columns are written: they are named by the request. */
    public List<ColumnFilter> longFilters() {
        return layout.filters().stream().filter(SliceQuery::isLong).toList();
    }

    private static boolean isLong(ColumnFilter filter) {
        return filter.values().size() > SHORT;
    }

    /** The most rows that one entity can have. */
    public long rowsPerEntity() {
        return query.countries().size() * Periods.count(query.dates()) * layout.rowCap();
    }
}
