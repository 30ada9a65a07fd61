package millrace.gateway.api.downloads;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.files.CountedStream;
import millrace.gateway.server.body.ChunkedStream;

/**
 * The JSON of a preview, made while it is read. Ends before the wanted number of rows where the
 * file has no more, or where so much was read or written that the bounds are reached.
 */
final class PreviewStream extends ChunkedStream {
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
        fill();
    }

    @Override
    protected byte[] nextChunk() throws IOException {
        if (ended) {
            return new byte[0];
        }
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
        passed += next.length;
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
