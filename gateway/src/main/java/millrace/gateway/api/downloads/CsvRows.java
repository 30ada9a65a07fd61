package millrace.gateway.api.downloads;

import com.fasterxml.jackson.core.JsonGenerator;
import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rows of a CSV file with a header line. An empty cell is null. */
final class CsvRows implements FileRows {
    private static final int LONGEST_CELL = 1 << 20;
    /** As JSON writes numbers. */
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final CloseableIterator<CsvRecord> records;
    private final List<String> columns;
    private final boolean[] numeric;

    /** @param numeric whether the column of the name has numbers */
    CsvRows(InputStream in, Predicate<String> numeric) throws IOException {
        this.records = CsvReader.builder()
                .allowUnclosedQuote(false)
                .maxBufferSize(LONGEST_CELL)
                .ofCsvRecord(in, StandardCharsets.UTF_8)
                .iterator();
        CsvRecord header = next();
        this.columns = header == null ? List.of() : List.copyOf(header.getFields());
        this.numeric = new boolean[columns.size()];
        for (int i = 0; i < this.numeric.length; i++) {
            this.numeric[i] = numeric.test(columns.get(i));
        }
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public boolean writeNext(JsonGenerator out) throws IOException {
        CsvRecord row = next();
        if (row == null) {
            return false;
        }
        out.writeStartArray();
        for (int i = 0; i < columns.size(); i++) {
            String cell = row.getField(i);
            if (cell.isEmpty()) {
                out.writeNull();
            } else if (numeric[i] && NUMBER.matcher(cell).matches()) {
                out.writeNumber(cell);
            } else {
                out.writeString(cell);
            }
        }
        out.writeEndArray();
        return true;
    }

    private @Nullable CsvRecord next() throws IOException {
        try {
            return records.hasNext() ? records.next() : null;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (CsvParseException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
