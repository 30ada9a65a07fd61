package io.millrace.client;

import io.millrace.client.MillraceException.DownloadException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** The rows of CSV (RFC 4180) with a header; an empty cell is null. */
final class CsvRows implements Iterator<Map<String, Object>> {
    private static final int END = -1;

    private final Reader in;
    private List<String> header;
    private int number;
    private Map<String, Object> next;
    private boolean afterCr;

    CsvRows(Reader in) {
        this.in = in;
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            try {
                next = row();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return next != null;
    }

    @Override
    public Map<String, Object> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Map<String, Object> row = next;
        next = null;
        return row;
    }

    /** The next row, or null at the end. */
    private Map<String, Object> row() throws IOException {
        if (header == null) {
            header = cells();
        }
        List<String> cells = header == null ? null : cells();
        if (cells == null) {
            return null;
        }
        number++;
        if (cells.size() != header.size()) {
            throw new DownloadException(
                    "Row " + number + " of the file has " + cells.size() + " cells, and the header has " + header.size()
                            + ".",
                    false);
        }
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(header.get(i), cells.get(i).isEmpty() ? null : cells.get(i));
        }
        return row;
    }

    /** The cells of the next line, or null at the end. */
    private List<String> cells() throws IOException {
        int c = in.read();
        if (afterCr && c == '\n') {
            c = in.read();
        }
        if (c == END) {
            return null;
        }
        List<String> cells = new ArrayList<>();
        var cell = new StringBuilder();
        while (true) {
            if (c == '"' && cell.isEmpty()) {
                c = quoted(cell);
                if (c != ',' && c != '\r' && c != '\n' && c != END) {
                    throw notCsv();
                }
            }
            if (c == ',' || c == '\r' || c == '\n' || c == END) {
                cells.add(cell.toString());
                cell.setLength(0);
                if (c != ',') {
                    afterCr = c == '\r';
                    return cells;
                }
            } else {
                cell.append((char) c);
            }
            c = in.read();
        }
    }

    /** Reads what is in quotes, after the first one; returns what follows the last. */
    private int quoted(StringBuilder cell) throws IOException {
        while (true) {
            int c = in.read();
            if (c == END) {
                throw notCsv();
            }
            if (c == '"') {
                c = in.read();
                if (c != '"') {
                    return c;
                }
            }
            cell.append((char) c);
        }
    }

    private DownloadException notCsv() {
        return new DownloadException("Row " + (number + 1) + " of the file is not CSV.", false);
    }
}
