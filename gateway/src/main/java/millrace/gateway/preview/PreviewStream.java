package millrace.gateway.preview;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.UUID;
import millrace.contracts.Json;

/**
 * The JSON of a preview, made while it is read. Ends before the wanted number of rows where the
 * file has no more, or where so much was read or written that the bounds are reached.
 */
final class PreviewStream extends InputStream {
    /** Bytes of JSON after which no further row follows. */
    static final int MOST_WRITTEN = 4 << 20;
    /** Decompressed bytes of the file after which no further row is read. */
    static final int MOST_READ = 16 << 20;

    private static final int CHUNK = 1 << 14;

    private final CountedStream file;
    private final FileRows rows;
    private final Wanted wanted;
    private final PreviewSlots.Slot slot;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream(CHUNK);
    private final JsonGenerator json;
    private byte[] chunk;
    private int at;
    private long passed;
    private int returned;
    private boolean ended;

    /**
     * @param most rows
     * @param rowCount of the whole file
     */
    record Wanted(UUID reportId, int most, long rowCount) {}

    /**
     * Reads the first rows, so that a file that cannot be read is known before the response begins.
     *
     * @param file what the rows are read from
     */
    PreviewStream(CountedStream file, FileRows rows, Wanted wanted, PreviewSlots.Slot slot) throws IOException {
        this.file = file;
        this.rows = rows;
        this.wanted = wanted;
        this.slot = slot;
        this.json = Json.MAPPER.getFactory().createGenerator(written);
        json.writeStartObject();
        json.writeStringField("report_id", wanted.reportId().toString());
        json.writeArrayFieldStart("columns");
        for (String column : rows.columns()) {
            json.writeString(column);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("rows");
        this.chunk = nextChunk();
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

    private boolean fill() throws IOException {
        if (at == chunk.length && !ended) {
            passed += chunk.length;
            chunk = nextChunk();
            at = 0;
        }
        return at < chunk.length;
    }

    private byte[] nextChunk() throws IOException {
        if (slot.ended()) {
            throw new IOException("the client took longer than " + PreviewSlots.LONGEST.toSeconds() + " s to read it");
        }
        while (!ended && buffered() < CHUNK) {
            if (returned < wanted.most() && !boundReached() && rows.writeNext(json)) {
                returned++;
            } else {
                end();
            }
        }
        json.flush();
        byte[] next = written.toByteArray();
        written.reset();
        return next;
    }

    private boolean boundReached() {
        return passed + buffered() >= MOST_WRITTEN || file.count() >= MOST_READ;
    }

    private int buffered() {
        return written.size() + json.getOutputBuffered();
    }

    private void end() throws IOException {
        json.writeEndArray();
        json.writeNumberField("returned", returned);
        json.writeNumberField("row_count", wanted.rowCount());
        json.writeEndObject();
        ended = true;
    }

    @Override
    public void close() throws IOException {
        try (slot) {
            rows.close();
        }
    }
}
