package millrace.gateway.api.credits;

import com.fasterxml.jackson.databind.JsonNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.catalog.text.Text;

/** A statement as CSV: one line for each figure. */
final class StatementCsv {
    private static final List<String> BALANCE = List.of("granted", "remaining", "reserved", "used");

    private StatementCsv() {}

    static byte[] of(JsonNode signed) {
        JsonNode statement = signed.path("statement");
        var text = new StringWriter();
        try (CsvWriter csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.CRLF)
                .bufferSize(0)
                .build(text)) {
            var lines = new Lines(csv, statement.path("month").asText());
            csv.writeRecord("month", "section", "name", "count", "credits");
            BALANCE.forEach(name -> lines.line("opening", name, "", number(statement.path("opening"), name)));
            statement
                    .path("by_kind")
                    .forEach(sum -> lines.sum("kind", sum.path("kind").asText(), sum, "entries"));
            statement
                    .path("by_dataset")
                    .forEach(sum -> lines.sum("dataset", sum.path("dataset").asText(), sum, "reports"));
            statement
                    .path("by_tag")
                    .forEach(sum -> lines.sum(
                            "tag",
                            sum.path("tag").asText() + "=" + sum.path("value").asText(),
                            sum,
                            "reports"));
            BALANCE.forEach(name -> lines.line("closing", name, "", number(statement.path("closing"), name)));
            lines.line("entries_sha256", statement.path("entries_sha256").asText(), number(statement, "entries"), "");
            lines.line("signature", signed.path("signature").asText(), "", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String number(JsonNode of, String name) {
        return Long.toString(of.path(name).asLong());
    }

    private record Lines(CsvWriter csv, String month) {
        void line(String section, String name, String count, String credits) {
            csv.writeRecord(month, section, Text.cell(name), count, credits);
        }

        void sum(String section, String name, JsonNode sum, String count) {
            line(section, name, number(sum, count), number(sum, "credits"));
        }
    }
}
