package millrace.processor.rendering.format;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import millrace.catalog.report.ReportLayout;
import org.jspecify.annotations.Nullable;

/** Writes CSV (RFC 4180). Parts of a report are concatenated, so that only the first part has the header line. */
public final class CsvRowWriter implements RowWriter {
    private final OutputStream out;
    private final CsvWriter csv;

    public CsvRowWriter(OutputStream out, ReportLayout layout, boolean header) {
        this.out = out;
        this.csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.CRLF)
                // Files have no comments, so a field that starts with # needs no quotes.
                .commentCharacter('\uFFFF')
                .build(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        if (header) {
            csv.writeRecord(layout.header());
        }
    }

    @Override
    public void row(String[] key, @Nullable String[] values) {
        var line = csv.writeRecord();
        for (String cell : key) {
            line.writeField(cell);
        }
        for (String cell : values) {
            line.writeField(cell);
        }
        line.endRecord();
    }

    @Override
    public void finish() throws IOException {
        csv.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
