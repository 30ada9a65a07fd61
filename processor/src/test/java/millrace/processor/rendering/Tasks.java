package millrace.processor.rendering;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.FilterList;
import millrace.contracts.Granularity;
import millrace.contracts.RenderTask.RenderSlice;
import millrace.contracts.ReportQuery;
import millrace.contracts.SliceRef;
import org.jspecify.annotations.Nullable;

/** Tasks for tests; each wither changes one thing. */
record Tasks(
        ReportQuery query, boolean countsRevealed, @Nullable Long rowLimit, boolean header) {
    static final String VERSION = "v1";
    static final UUID REPORT = new UUID(0, 1);

    static Tasks of(String dataset, List<String> entities, List<String> countries, String... metrics) {
        var month = new ReportQuery.Dates(Granularity.MONTHLY, LocalDate.of(2026, 1, 1), LocalDate.of(2026, 2, 1));
        return new Tasks(
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
                true);
    }

    Tasks dates(Granularity granularity, String first, String last) {
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

    Tasks filters(Map<String, List<String>> filters) {
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

    Tasks filterLists(Map<String, FilterList> lists) {
        return with(query.withFilters(Map.of(), lists));
    }

    Tasks subdomains() {
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

    Tasks spreadsheet() {
        return output(new ReportQuery.Output("download_link", "csv", "spreadsheet"));
    }

    Tasks output(ReportQuery.Output output) {
        return with(new ReportQuery(
                query.dataset(),
                query.entities(),
                query.countries(),
                query.metrics(),
                query.dates(),
                query.filters(),
                query.subdomains(),
                query.limit(),
                output));
    }

    Tasks limit(long rows) {
        return new Tasks(query, countsRevealed, rows, header);
    }

    Tasks countingRevealed() {
        return new Tasks(query, true, rowLimit, header);
    }

    Tasks withoutHeader() {
        return new Tasks(query, countsRevealed, rowLimit, false);
    }

    RenderSlice task() {
        return task(new SliceRef(REPORT, 1, 0, 1), VERSION);
    }

    RenderSlice task(SliceRef slice, String version) {
        return new RenderSlice("acme", slice, query, version, countsRevealed, rowLimit, header);
    }

    private Tasks with(ReportQuery changed) {
        return new Tasks(changed, countsRevealed, rowLimit, header);
    }
}
