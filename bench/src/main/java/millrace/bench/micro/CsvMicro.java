package millrace.bench.micro;

import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import millrace.catalog.Catalog;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.rendering.format.CsvRowWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Formats a row of eight text cells as CSV. */
@State(Scope.Benchmark)
public class CsvMicro {
    private static final LocalDate WEEK = LocalDate.parse("2026-01-05");

    private final String[] key = {"site00017.example", "US", "2026-01-05", "keyword 3 of 48112"};
    private final String[] values = {"7391.27", "412.9", "55.03", "0.127731"};
    private final CsvRowWriter rows = new CsvRowWriter(OutputStream.nullOutputStream(), layout(), true);

    @Benchmark
    public void row() throws IOException {
        rows.row(key, values);
    }

    private static ReportLayout layout() {
        var query = new ReportQuery(
                "site_keywords",
                List.of("site00017.example"),
                List.of("US"),
                List.of("desktop_keywords_total_visits"),
                new ReportQuery.Dates(Granularity.WEEKLY, WEEK, WEEK),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return ReportLayout.of(Catalog.builtIn().dataset("site_keywords").orElseThrow(), query);
    }
}
