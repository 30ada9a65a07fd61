package millrace.gateway.server.body;

import java.io.IOException;
import java.io.InputStream;

/** A stream that is made while it is read, one chunk at a time. */
public abstract class ChunkedStream extends InputStream {
    private byte[] chunk = new byte[0];
    private int at;

    /** Makes the next bytes, which are left alone until the next call; an empty array at the end. */
    protected abstract byte[] nextChunk() throws IOException;

    /** Makes the next chunk where the one before is read; false at the end. */
    protected final boolean fill() throws IOException {
        if (at == chunk.length) {
            chunk = nextChunk();
            at = 0;
        }
        return at < chunk.length;
    }

    @Override
    public final int read() throws IOException {
        return fill() ? chunk[at++] & 0xFF : -1;
    }

    @Override
    public final int read(byte[] bytes, int offset, int length) throws IOException {
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
}
