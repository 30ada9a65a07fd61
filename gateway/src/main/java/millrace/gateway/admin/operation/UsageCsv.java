package millrace.gateway.admin.operation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.gateway.activity.store.ActivityQueries.UsagePlace;
import org.jspecify.annotations.Nullable;

/** Usage as CSV, month after month, of which one page is in memory. */
final class UsageCsv extends InputStream {
    private static final String HEADER = "month,account_id,name,dataset,credits,reports\r\n";
    private static final int PAGE = 1000;
    private static final Pattern QUOTED = Pattern.compile("[,\"\r\n]");
    /** A spreadsheet would take such a cell for a formula. */
    private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t].*", Pattern.DOTALL);

    private final YearMonth to;
    private final Source source;
    private YearMonth month;
    private @Nullable UsagePlace after;
    private byte[] chunk = HEADER.getBytes(StandardCharsets.US_ASCII);
    private int at;

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

    @Override
    public int read() throws IOException {
        return fill() ? chunk[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int n = Math.min(length, chunk.length - at);
        System.arraycopy(chunk, at, bytes, offset, n);
        at += n;
        return n;
    }

    /** @throws IOException where the rest cannot be read; the connection is cut, so that nobody takes it for the whole */
    private boolean fill() throws IOException {
        while (at == chunk.length && !month.isAfter(to)) {
            List<Line> page = source.page(month, after, PAGE)
                    .orElseThrow(() -> new IOException("the activity store cannot be read any more"));
            var next = new ByteArrayOutputStream();
            page.forEach(line -> next.writeBytes(text(line.row()).getBytes(StandardCharsets.UTF_8)));
            chunk = next.toByteArray();
            at = 0;
            boolean last = page.size() < PAGE;
            after = last ? null : page.getLast().place();
            month = last ? month.plusMonths(1) : month;
        }
        return at < chunk.length;
    }

    private String text(UsageRoutes.Row row) {
        return String.join(
                        ",",
                        month.toString(),
                        cell(row.accountId()),
                        cell(row.name()),
                        cell(row.dataset()),
                        Long.toString(row.credits()),
                        Long.toString(row.reports()))
                + "\r\n";
    }

    private static String cell(@Nullable String text) {
        if (text == null) {
            return "";
        }
        String safe = FORMULA.matcher(text).matches() ? "'" + text : text;
        return QUOTED.matcher(safe).find() ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }
}
