package millrace.gateway.server.body;

import java.io.IOException;
import java.io.InputStream;
import millrace.files.BlockInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body up to a limit. Where the body is longer, breaks off or has no memory, each read
 * throws, so that no reader takes its beginning for the whole.
 */
final class BoundedBody extends BlockInputStream {
    private final InputStream body;
    private final long limit;
    private final BodyMemory.@Nullable Share memory;
    private long read;
    private boolean broken;
    private boolean outOfMemory;

    /** @param memory reservation for what is read; null where the reader does not keep it */
    BoundedBody(InputStream body, long limit, BodyMemory.@Nullable Share memory) {
        this.body = body;
        this.limit = limit;
        this.memory = memory;
    }

    /** Whether the body is longer than the limit. */
    boolean exceeded() {
        return read > limit;
    }

    /** Whether the body broke off. */
    boolean broken() {
        return broken;
    }

    /** Whether there was no memory for the rest of the body. */
    boolean outOfMemory() {
        return outOfMemory;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (broken || outOfMemory || exceeded()) {
            throw new IOException("the body cannot be read any further");
        }
        int n = next(bytes, offset, length);
        if (exceeded()) {
            throw new IOException("the body is larger than " + limit + " bytes");
        }
        outOfMemory = memory != null && !memory.holds(read);
        if (outOfMemory) {
            throw new IOException("there is no memory for the rest of the body");
        }
        return n;
    }

    private int next(byte[] bytes, int offset, int length) throws IOException {
        try {
            int n = body.read(bytes, offset, length);
            read += Math.max(0, n);
            return n;
        } catch (IOException e) {
            broken = true;
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }

    /** Reads and discards the rest, up to the limit or until it breaks off. */
    void drain() throws IOException {
        if (broken || exceeded() || next(new byte[1], 0, 1) < 0) {
            return; // Most bodies have been read to their end: no buffer for them.
        }
        byte[] buffer = new byte[1 << 14];
        int n = 0;
        while (n >= 0 && !broken && !exceeded()) {
            n = next(buffer, 0, buffer.length);
        }
    }
}
