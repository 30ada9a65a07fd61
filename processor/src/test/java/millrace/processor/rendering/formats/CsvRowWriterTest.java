package millrace.processor.rendering.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import millrace.catalog.Catalog;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Checks the bytes, against those that FastCSV writes. */
class CsvRowWriterTest {
    private static final List<String> HEADER =
            List.of("domain", "country", "date", "keyword", "desktop_keywords_total_visits");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Property
    void textsAreWrittenAsFastCsvWritesThem(@ForAll("rows") List<List<String>> rows) throws IOException {
        var out = new ByteArrayOutputStream();
        CsvRowWriter writer = new CsvRowWriter(out, layout(), true);
        for (List<String> row : rows) {
            for (String cell : row) {
                writer.text(cell);
            }
            writer.endRow();
        }
        writer.finish();

        assertThat(out.toString(UTF_8)).isEqualTo(fastCsv(rows));
    }

    /** Few different texts, so that many repeat the one above. */
    @Provide
    Arbitrary<List<List<String>>> rows() {
        Arbitrary<String> cells = Arbitraries.oneOf(
                Arbitraries.of(
                        "",
                        "a",
                        "a,b",
                        "say \"hi\"",
                        "\"",
                        "two\nlines",
                        "\r",
                        " x ",
                        "#1",
                        "käse",
                        "絵",
                        "😀",
                        "\uD83D"),
                Arbitraries.strings().ofMaxLength(20));
        return cells.list().ofSize(HEADER.size()).list().ofMaxSize(12);
    }

    @Test
    void numbersAreWrittenAsTheirTexts() throws IOException {
        double[] numbers = {
            0,
            -0.0,
            1,
            -1,
            0.5,
            -0.05,
            12.34,
            999_999_999,
            1e9,
            1_000_000_007,
            4e15,
            1L << 53,
            1e16,
            1e300,
            Double.MIN_VALUE,
            0.1 + 0.2,
            1e-7,
            -123456789.123456
        };
        CsvRowWriter writer = new CsvRowWriter(bytes, layout(), false);
        var expected = new StringBuilder();
        for (double number : numbers) {
            writer.number(number);
            writer.absent();
            writer.integer((long) number);
            writer.endRow();
            expected.append(NumberText.of(number))
                    .append(",,")
                    .append((long) number)
                    .append("\r\n");
        }
        writer.finish();

        assertThat(bytes.toString(UTF_8)).isEqualTo(expected.toString());
    }

    @Test
    void cellsOfAnyLengthAreWritten() throws IOException {
        CsvRowWriter writer = new CsvRowWriter(bytes, layout(), false);
        var expected = new StringBuilder();
        for (int length : List.of(1, 65_533, 2, 65_535, 3, 65_536, 65_537, 200_000, 4)) {
            String text = "x".repeat(length);
            for (int row = 0; row < 2; row++) {
                writer.text(text);
                writer.number(0.25);
                writer.endRow();
                expected.append(text).append(",0.25\r\n");
            }
        }
        writer.finish();

        assertThat(bytes.toString(UTF_8)).isEqualTo(expected.toString());
    }

    private static String fastCsv(List<List<String>> rows) throws IOException {
        var out = new ByteArrayOutputStream();
        try (CsvWriter csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.CRLF)
                .commentCharacter('\uFFFF')
                .build(new OutputStreamWriter(out, UTF_8))) {
            csv.writeRecord(HEADER);
            rows.forEach(csv::writeRecord);
        }
        return out.toString(UTF_8);
    }

    private static ReportLayout layout() {
        LocalDate week = LocalDate.parse("2026-01-05");
        var query = new ReportQuery(
                "site_keywords",
                List.of("a.example"),
                List.of("US"),
                List.of("desktop_keywords_total_visits"),
                new ReportQuery.Dates(Granularity.WEEKLY, week, week),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return ReportLayout.of(Catalog.builtIn().dataset("site_keywords").orElseThrow(), query);
    }
}
