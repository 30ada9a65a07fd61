package millrace.e2e.client;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.util.List;

/** The content of a CSV file as a client reads it; an absent cell is an empty text. */
public record ReportCsv(List<String> header, List<List<String>> rows) {

    public static ReportCsv of(String text) {
        if (text.replace("\r\n", "").contains("\n") || !text.endsWith("\r\n")) {
            throw new AssertionError("lines that do not end in CR LF: " + text);
        }
        List<List<String>> lines = CsvReader.builder().ofCsvRecord(text).stream()
                .map(CsvRecord::getFields)
                .toList();
        return new ReportCsv(lines.getFirst(), lines.subList(1, lines.size()));
    }
}
