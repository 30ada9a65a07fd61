package millrace.processor.rendering.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.catalog.report.ReportLayout;

/**
 * Writes CSV (RFC 4180): UTF-8, CRLF, quotes only where a text needs them. Parts of a report are concatenated, so that
 * only the first part has the header line.
 *
 * <p>Cells are written as bytes: numbers as their digits, without a text for each, and a text that repeats the one above
 * it without encoding it again. One cell of each column is kept for that.
 */
public final class CsvRowWriter implements RowWriter {
    private static final int BUFFER_BYTES = 1 << 16;

    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int size;
    private int column;
    /** The last text of each column. */
    private final String[] lastText;
    /** The same as bytes of the file. */
    private final byte[][] lastField;

    public CsvRowWriter(OutputStream out, ReportLayout layout, boolean header) throws IOException {
        List<String> names = layout.header();
        this.out = out;
        this.lastText = names.toArray(String[]::new);
        this.lastField = names.stream().map(CsvRowWriter::field).toArray(byte[][]::new);
        if (header) {
            for (String name : names) {
                text(name);
            }
            endRow();
        }
    }

    @Override
    public void text(String cell) throws IOException {
        if (!cell.equals(lastText[column])) {
            lastText[column] = cell;
            lastField[column] = field(cell);
        }
        byte[] field = lastField[column];
        beginCell();
        append(field);
    }

    @Override
    public void integer(long cell) throws IOException {
        beginCell();
        append(ascii(Long.toString(cell)));
    }

    @Override
    public void number(double cell) throws IOException {
        beginCell();
        reserve(NumberText.SHORT_BYTES);
        int end = NumberText.writeShort(cell, buffer, size);
        if (end < 0) {
            append(ascii(NumberText.of(cell)));
        } else {
            size = end;
        }
    }

    @Override
    public void absent() throws IOException {
        beginCell();
    }

    @Override
    public void endRow() throws IOException {
        reserve(2);
        buffer[size++] = '\r';
        buffer[size++] = '\n';
        column = 0;
    }

    @Override
    public void finish() throws IOException {
        drain();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void beginCell() throws IOException {
        if (column > 0) {
            reserve(1);
            buffer[size++] = ',';
        }
        column++;
    }

    /** A text as a field, in quotes where it contains what ends a field or begins one in quotes. */
    private static byte[] field(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        for (byte b : plain) { // bytes of longer sequences are negative
            if (b == '"' || b == ',' || b == '\r' || b == '\n') {
                return ('"' + text.replace("\"", "\"\"") + '"').getBytes(StandardCharsets.UTF_8);
            }
        }
        return plain;
    }

    private static byte[] ascii(String digits) {
        return digits.getBytes(StandardCharsets.ISO_8859_1);
    }

    private void append(byte[] bytes) throws IOException {
        if (bytes.length > buffer.length) {
            drain();
            out.write(bytes);
            return;
        }
        reserve(bytes.length);
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
    }

    private void reserve(int bytes) throws IOException {
        if (bytes > buffer.length - size) {
            drain();
        }
    }

    private void drain() throws IOException {
        out.write(buffer, 0, size);
        size = 0;
    }
}
