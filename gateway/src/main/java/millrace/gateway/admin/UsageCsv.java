package millrace.gateway.admin;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import millrace.catalog.text.Text;
import millrace.gateway.copy.activity.ActivityQueries.UsagePlace;
import millrace.gateway.server.body.ChunkedStream;
import org.jspecify.annotations.Nullable;

/** Usage as CSV, month after month, of which one page is in memory. */
final class UsageCsv extends ChunkedStream {
    private static final int PAGE = 1000;

    private final YearMonth to;
    private final Source source;
    private YearMonth month;
    private @Nullable UsagePlace after;
    private boolean begun;

    /** Reads pages. */
    @FunctionalInterface
    interface Source {
        /** Empty where it cannot be read now. */
        Optional<List<Line>> page(YearMonth month, @Nullable UsagePlace after, int most);
    }

    record Line(UsagePlace place, UsageRoutes.Row row) {}

    UsageCsv(YearMonth from, YearMonth to, Source source) {
        this.month = from;
        this.to = to;
        this.source = source;
    }

    /** @throws IOException where the rest cannot be read; the connection is cut, so that nobody takes it for the whole */
    @Override
    protected byte[] nextChunk() throws IOException {
        var text = new StringWriter();
        try (CsvWriter csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.CRLF)
                .bufferSize(0)
                .build(text)) {
            if (!begun) {
                csv.writeRecord("month", "account_id", "name", "dataset", "credits", "reports");
                begun = true;
            }
            while (text.getBuffer().isEmpty() && !month.isAfter(to)) {
                List<Line> page = source.page(month, after, PAGE)
                        .orElseThrow(() -> new IOException("the activity store cannot be read any more"));
                page.forEach(line -> write(csv, line.row()));
                boolean last = page.size() < PAGE;
                after = last ? null : page.getLast().place();
                month = last ? month.plusMonths(1) : month;
            }
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void write(CsvWriter csv, UsageRoutes.Row row) {
        csv.writeRecord(
                month.toString(),
                cell(row.accountId()),
                cell(row.name()),
                cell(row.dataset()),
                Long.toString(row.credits()),
                Long.toString(row.reports()));
    }

    private static String cell(@Nullable String text) {
        return text == null ? "" : Text.cell(text);
    }
}
