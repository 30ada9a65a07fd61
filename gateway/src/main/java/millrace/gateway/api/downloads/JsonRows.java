package millrace.gateway.api.downloads;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a JSON Lines file, whose objects all have the same keys in the same order. The first
 * one tells the columns.
 */
final class JsonRows implements FileRows {
    private final JsonParser json;
    private final List<String> columns = new ArrayList<>();
    private @Nullable List<Cell> first;

    private record Cell(JsonToken token, String text) {}

    JsonRows(InputStream in) throws IOException {
        this.json = Json.MAPPER.getFactory().createParser(in);
        if (json.nextToken() != null) {
            List<Cell> cells = new ArrayList<>();
            expect(JsonToken.START_OBJECT, json.currentToken());
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                columns.add(json.currentName());
                cells.add(cell());
            }
            expect(JsonToken.END_OBJECT, json.currentToken());
            first = cells;
        }
    }

    @Override
    public List<String> columns() {
        return List.copyOf(columns);
    }

    @Override
    public boolean writeNext(JsonGenerator out) throws IOException {
        List<Cell> known = first;
        if (known != null) {
            first = null;
            out.writeStartArray();
            for (Cell cell : known) {
                write(cell, out);
            }
            out.writeEndArray();
            return true;
        }
        if (json.nextToken() == null) {
            return false;
        }
        expect(JsonToken.START_OBJECT, json.currentToken());
        out.writeStartArray();
        for (String column : columns) {
            if (!column.equals(json.nextFieldName())) {
                throw new IOException("a row without the column " + column);
            }
            write(cell(), out);
        }
        expect(JsonToken.END_OBJECT, json.nextToken());
        out.writeEndArray();
        return true;
    }

    private Cell cell() throws IOException {
        JsonToken token = json.nextToken();
        return switch (token) {
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_NULL -> new Cell(token, json.getText());
            case null, default -> throw new IOException("a cell that is " + token);
        };
    }

    private static void write(Cell cell, JsonGenerator out) throws IOException {
        switch (cell.token()) {
            case VALUE_STRING -> out.writeString(cell.text());
            case VALUE_NULL -> out.writeNull();
            default -> out.writeNumber(cell.text());
        }
    }

    private static void expect(JsonToken wanted, @Nullable JsonToken found) throws IOException {
        if (found != wanted) {
            throw new IOException("not a row: " + found);
        }
    }

    @Override
    public void close() throws IOException {
        json.close();
    }
}
