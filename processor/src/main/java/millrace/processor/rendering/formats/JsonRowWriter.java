package millrace.processor.rendering.formats;

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

/**
 * Writes JSON Lines: an object and LF for each row. Every object has all keys, in the order of the CSV header. An
 * absent cell is null; numbers have the same digits as in CSV.
 */
public final class JsonRowWriter implements RowWriter {
    private final JsonGenerator json;
    private final List<SerializedString> names;
    private final boolean[] numeric;
    private int column;

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
    public void text(String cell) throws IOException {
        boolean number = numeric[column];
        beginCell();
        if (cell.isEmpty()) {
            json.writeNull();
        } else if (number) {
            json.writeNumber(cell);
        } else {
            json.writeString(cell);
        }
    }

    @Override
    public void integer(long cell) throws IOException {
        beginCell();
        json.writeNumber(cell);
    }

    @Override
    public void number(double cell) throws IOException {
        beginCell();
        json.writeNumber(NumberText.of(cell));
    }

    @Override
    public void absent() throws IOException {
        beginCell();
        json.writeNull();
    }

    private void beginCell() throws IOException {
        if (column == 0) {
            json.writeStartObject();
        }
        json.writeFieldName(names.get(column++));
    }

    @Override
    public void endRow() throws IOException {
        json.writeEndObject();
        json.writeRaw('\n');
        column = 0;
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
