package millrace.gateway.http.body;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A body as the framework has it, as much of it as is accepted, and that unpacked; each is read through the one before.
 *
 * @param raw null where the request has none
 */
record RequestBodyStreams(@Nullable InputStream raw, BoundedBody sent, BoundedBody json) implements Closeable {

    /**
     * @param limit in bytes, of what was sent and of what it becomes
     * @param memory of what it becomes; null where that is not kept
     */
    static RequestBodyStreams of(
            @Nullable InputStream raw, ContentCoding coding, long limit, BodyMemory.@Nullable Share memory) {
        var sent = new BoundedBody(raw == null ? InputStream.nullInputStream() : raw, limit);
        return new RequestBodyStreams(raw, sent, new BoundedBody(coding.unpacked(sent), limit, memory));
    }

    boolean exceeded() {
        return sent.exceeded() || json.exceeded();
    }

    /** Whether it could not be read to its end. */
    boolean failed() {
        return exceeded() || json.broken() || json.outOfMemory();
    }

    /** Reads it to its end, whatever comes after what is packed. */
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
