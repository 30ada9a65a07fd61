package millrace.processor.rendering.rows;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import org.jspecify.annotations.Nullable;

/** Tasks for tests; each wither changes one thing. */
public record SampleTasks(
        ReportQuery query,
        boolean countsRevealed,
        @Nullable Long rowLimit,
        @Nullable Long rowsToSkip,
        boolean header) {
    public static final String VERSION = "v1";
    public static final UUID REPORT = new UUID(0, 1);

    public static SampleTasks of(String dataset, List<String> entities, List<String> countries, String... metrics) {
        var month = new ReportQuery.Dates(Granularity.MONTHLY, LocalDate.of(2026, 1, 1), LocalDate.of(2026, 2, 1));
        return new SampleTasks(
                new ReportQuery(
                        dataset,
                        entities,
                        countries,
                        List.of(metrics),
                        month,
                        Map.of(),
                        false,
                        null,
                        ReportQuery.Output.CSV),
                false,
                null,
                null,
                true);
    }

    SampleTasks dates(Granularity granularity, String first, String last) {
        return with(new ReportQuery(
                query.dataset(),
                query.entities(),
                query.countries(),
                query.metrics(),
                new ReportQuery.Dates(granularity, LocalDate.parse(first), LocalDate.parse(last)),
                query.filters(),
                query.subdomains(),
                query.limit(),
                query.output()));
    }

    SampleTasks filters(Map<String, List<String>> filters) {
        return with(new ReportQuery(
                query.dataset(),
                query.entities(),
                query.countries(),
                query.metrics(),
                query.dates(),
                filters,
                query.subdomains(),
                query.limit(),
                query.output()));
    }

    /** @param first values that the query shows of each list */
    SampleTasks filterLists(Map<String, List<String>> first, Map<String, FilterList> lists) {
        return with(query.withFilters(first, lists));
    }

    SampleTasks subdomains() {
        return with(new ReportQuery(
                query.dataset(),
                query.entities(),
                query.countries(),
                query.metrics(),
                query.dates(),
                query.filters(),
                true,
                query.limit(),
                query.output()));
    }

    SampleTasks spreadsheet() {
        return output(new ReportQuery.Output("download_link", "csv", "spreadsheet"));
    }

    SampleTasks output(ReportQuery.Output output) {
        return with(new ReportQuery(
                query.dataset(),
                query.entities(),
                query.countries(),
                query.metrics(),
                query.dates(),
                query.filters(),
                query.subdomains(),
                query.limit(),
                output,
                query.entityList(),
                query.filterLists(),
                query.offset(),
                query.split()));
    }

    SampleTasks limit(long rows) {
        return new SampleTasks(query, countsRevealed, rows, rowsToSkip, header);
    }

    SampleTasks skip(long rows) {
        return new SampleTasks(query, countsRevealed, rowLimit, rows, header);
    }

    SampleTasks countingRevealed() {
        return new SampleTasks(query, true, rowLimit, rowsToSkip, header);
    }

    SampleTasks withoutHeader() {
        return new SampleTasks(query, countsRevealed, rowLimit, rowsToSkip, false);
    }

    RenderSlice task() {
        return task(new SliceRef(REPORT, 1, 0, 1), VERSION);
    }

    public RenderSlice task(SliceRef slice, String version) {
        return new RenderSlice("acme", slice, query, version, countsRevealed, rowLimit, header, null, rowsToSkip);
    }

    private SampleTasks with(ReportQuery changed) {
        return new SampleTasks(changed, countsRevealed, rowLimit, rowsToSkip, header);
    }
}
