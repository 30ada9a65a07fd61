package millrace.contracts.reports;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import org.jspecify.annotations.Nullable;

/**
 * The manifest of a report in parts, as it is in the report store: what a loader needs to know of its files. It says
 * nothing that differs from one writing to the next, so that it has the same bytes again after a crash.
 *
 * @param dataVersion the version of the data that all files are made from
 * @param dataPublishedAt when that version became current; null if the warehouse does not know
 * @param querySha256 null if an earlier build has accepted the report
 * @param rowCount of all files
 * @param tables what the columns of the files are, by table
 * @param files in the order of their rows
 */
public record ReportManifest(
        UUID reportId,
        String dataset,
        QuerySummary query,
        @Nullable String dataVersion,
        @Nullable Instant dataPublishedAt,
        @Nullable String querySha256,
        @Nullable Integer renderForm,
        long rowCount,
        List<Table> tables,
        List<ReportPart> files) {

    /** What the names of stored manifests end with. */
    public static final String EXTENSION = "json";

    public ReportManifest {
        tables = List.copyOf(tables);
        files = List.copyOf(files);
    }

    /**
     * @param table its name, as {@link ReportPart#table()} says it
     * @param columns in the order of the files
     */
    public record Table(String table, String dataset, List<Column> columns) {
        public Table {
            columns = List.copyOf(columns);
        }
    }

    /**
     * @param type {@code text}, {@code date}, {@code integer} or {@code double}
     * @param unit of a metric; null for key columns
     */
    public record Column(String name, String type, @Nullable String unit) {}

    /** The manifest of a report whose attempt is rendered, without what its columns are. */
    public static ReportManifest of(ReportStatus report, QuerySummary query, List<ReportPart> files) {
        return new ReportManifest(
                report.reportId(),
                report.dataset(),
                query,
                report.dataVersion(),
                report.dataPublishedAt(),
                report.querySha256(),
                report.renderForm(),
                files.stream().mapToLong(ReportPart::rowCount).sum(),
                List.of(),
                files);
    }

    public ReportManifest with(List<Table> columns) {
        return new ReportManifest(
                reportId,
                dataset,
                query,
                dataVersion,
                dataPublishedAt,
                querySha256,
                renderForm,
                rowCount,
                columns,
                files);
    }
}
