package millrace.processor.rendering.format;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON Lines: an object and LF for each row. Every object has all keys, in the order of the CSV header. An
 * absent cell is null; numbers have the same digits as in CSV.
 */
public final class JsonRowWriter implements RowWriter {
    private final JsonGenerator json;
    private final List<SerializedString> names;
    private final boolean[] numeric;

    public JsonRowWriter(OutputStream out, ReportLayout layout) throws IOException {
        this.names = layout.header().stream().map(SerializedString::new).toList();
        List<ColumnType> types = Stream.concat(
                        layout.keyColumns().stream().map(KeyColumn::type),
                        layout.metrics().stream().map(DatasetMetric::type))
                .toList();
        this.numeric = new boolean[types.size()];
        for (int i = 0; i < numeric.length; i++) {
            numeric[i] = isNumeric(types.get(i));
        }
        this.json = Json.MAPPER.getFactory().createGenerator(out);
        json.setPrettyPrinter(new MinimalPrettyPrinter(""));
    }

    @Override
    public void row(String[] key, @Nullable String[] values) throws IOException {
        json.writeStartObject();
        for (int i = 0; i < key.length; i++) {
            cell(i, key[i].isEmpty() ? null : key[i]);
        }
        for (int i = 0; i < values.length; i++) {
            cell(key.length + i, values[i]);
        }
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private void cell(int column, @Nullable String text) throws IOException {
        json.writeFieldName(names.get(column));
        if (text == null) {
            json.writeNull();
        } else if (numeric[column]) {
            json.writeNumber(text);
        } else {
            json.writeString(text);
        }
    }

    @Override
    public void finish() throws IOException {
        json.flush();
    }

    @Override
    public void close() throws IOException {
        json.close();
    }

    private static boolean isNumeric(ColumnType type) {
        return switch (type) {
            case INTEGER, DOUBLE -> true;
            case TEXT, DATE -> false;
        };
    }
}
