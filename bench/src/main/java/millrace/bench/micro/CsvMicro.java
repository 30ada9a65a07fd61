package millrace.bench.micro;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import millrace.catalog.Catalog;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.rendering.formats.CsvRowWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Writes a row of four texts, of which one is another in each row, and four numbers as CSV. */
@State(Scope.Benchmark)
public class CsvMicro {
    private static final LocalDate WEEK = LocalDate.parse("2026-01-05");

    private final String[] keywords = {"keyword 3 of 48112", "keyword 4 of 92114", "keyword 5 of 25117"};
    private final CsvRowWriter rows = writer();
    private int row;

    @Benchmark
    public void row() throws IOException {
        row = (row + 1) % keywords.length;
        rows.text("site00017.example");
        rows.text("US");
        rows.text("2026-01-05");
        rows.text(keywords[row]);
        rows.number(7391.27 + row);
        rows.number(412.9);
        rows.number(55.03);
        rows.number(0.127731);
        rows.endRow();
    }

    private static CsvRowWriter writer() {
        try {
            return new CsvRowWriter(OutputStream.nullOutputStream(), layout(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ReportLayout layout() {
        var query = new ReportQuery(
                "site_keywords",
                List.of("site00017.example"),
                List.of("US"),
                List.of(
                        "desktop_keywords_total_visits",
                        "desktop_keywords_organic_visits",
                        "desktop_keywords_paid_visits",
                        "desktop_keywords_total_share"),
                new ReportQuery.Dates(Granularity.WEEKLY, WEEK, WEEK),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return ReportLayout.of(Catalog.builtIn().dataset("site_keywords").orElseThrow(), query);
    }
}
