package millrace.gateway.server.body;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a body: as Micronaut has it, bounded, and decompressed. Each reads the one before.
 *
 * @param raw null where the request has none
 */
record RequestBodyStreams(@Nullable InputStream raw, BoundedBody sent, BoundedBody json) implements Closeable {

    /**
     * @param limit in bytes, of the body as sent and as decompressed
     * @param memory reservation for the decompressed body; null where the reader does not keep it
     */
    static RequestBodyStreams of(
            @Nullable InputStream raw, ContentCoding coding, long limit, BodyMemory.@Nullable Share memory) {
        var sent = new BoundedBody(raw == null ? InputStream.nullInputStream() : raw, limit, null);
        return new RequestBodyStreams(raw, sent, new BoundedBody(coding.decompressed(sent), limit, memory));
    }

    boolean exceeded() {
        return sent.exceeded() || json.exceeded();
    }

    /** Whether the body could not be read to its end. */
    boolean failed() {
        return exceeded() || json.broken() || json.outOfMemory();
    }

    /** Reads and discards the rest, also what follows the compressed data. */
    void drain() throws IOException {
        json.drain();
        sent.drain();
    }

    @Override
    public void close() throws IOException {
        json.close();
        sent.close();
    }
}
