package millrace.processor.warehouse;

import java.util.List;
import millrace.catalog.Dataset;
import millrace.catalog.Periods;
import millrace.catalog.ReportLayout;
import millrace.contracts.ReportQuery;

/**
 * The rows of one slice.
 *
 * @param query its entities are sorted by their UTF-8 bytes
 * @param version of the dataset's data
 * @param dense whether the slice is one of very many, so that between its first and its last entity the table holds little
 *     that was not asked for
 */
public record SliceQuery(Dataset dataset, ReportLayout layout, ReportQuery query, String version, boolean dense) {

    public static SliceQuery of(Dataset dataset, ReportQuery query, String version) {
        return new SliceQuery(dataset, ReportLayout.of(dataset, query), query, version, false);
    }

    /** The same, as a slice of a report of very many entities. */
    public SliceQuery ofMany() {
        return new SliceQuery(dataset, layout, query, version, true);
    }

    List<String> entities() {
        return query.entities();
    }

    /** The most rows that one entity can have. */
    long rowsPerEntity() {
        return query.countries().size() * Periods.count(query.dates()) * layout.rowCap();
    }
}
