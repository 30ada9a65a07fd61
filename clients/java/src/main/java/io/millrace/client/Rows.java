package io.millrace.client;

import io.millrace.client.MillraceException.DownloadException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Reads the rows of a file, and closes it at its end. */
final class Rows implements Iterator<Map<String, Object>> {
    private final InputStream file;
    private final String reportId;
    private final Iterator<Map<String, Object>> rows;

    /** The first bytes tell which form the file has. */
    Rows(InputStream file, String reportId) throws IOException {
        this.file = file;
        this.reportId = reportId;
        InputStream in = new BufferedInputStream(file, Http.CHUNK);
        if (head(in).startsWith("\u001f\u008b")) {
            in = new BufferedInputStream(new GZIPInputStream(in, Http.CHUNK), Http.CHUNK);
        }
        String head = head(in);
        String other = head.equals("PAR1") ? "Parquet" : head.equals("(\u00b5/\u00fd") ? "zstd" : null;
        if (other != null) {
            throw new DownloadException(
                            "Rows are read from CSV and JSON Lines, plain or gzip; this file is " + other
                                    + ": write it to a file.",
                            false)
                    .of(reportId);
        }
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), Http.CHUNK);
        this.rows = head.startsWith("{")
                ? reader.lines().map(Json::read).map(Json::object).iterator()
                : new CsvRows(reader);
    }

    private static String head(InputStream in) throws IOException {
        in.mark(4);
        String head = new String(in.readNBytes(4), StandardCharsets.ISO_8859_1);
        in.reset();
        return head;
    }

    @Override
    public boolean hasNext() {
        try {
            boolean more = rows.hasNext();
            if (!more) {
                close();
            }
            return more;
        } catch (MillraceException e) {
            close();
            throw e.of(reportId);
        }
    }

    @Override
    public Map<String, Object> next() {
        return rows.next();
    }

    void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
