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
 */
public record SliceQuery(Dataset dataset, ReportLayout layout, ReportQuery query, String version) {

    public static SliceQuery of(Dataset dataset, ReportQuery query, String version) {
        return new SliceQuery(dataset, ReportLayout.of(dataset, query), query, version);
    }

    List<String> entities() {
        return query.entities();
    }

    /** The most rows that one entity can have. */
    long rowsPerEntity() {
        return query.countries().size() * Periods.count(query.dates()) * layout.rowCap();
    }
}
