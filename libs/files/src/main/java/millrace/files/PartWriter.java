package millrace.files;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import millrace.contracts.Hashes;
import millrace.contracts.PartFile;

/** A file being written: counts and hashes its bytes. Closed without a commit, it leaves nothing behind. One thread at a time. */
public abstract class PartWriter extends OutputStream {
    private final String name;
    private final MessageDigest digest = Hashes.sha256();
    private long size;

    PartWriter(String name) {
        this.name = name;
    }

    @Override
    public final void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public final void write(byte[] bytes, int offset, int length) throws IOException {
        append(bytes, offset, length);
        count(bytes, offset, length);
    }

    /** Bytes that reach the file another way count like those written. */
    final void count(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
        size += length;
    }

    /** Bytes so far. */
    public final long size() {
        return size;
    }

    /** Publishes the file under its name, at once and whole. Call it once; the writer is closed afterwards. */
    public final PartFile commit() throws IOException {
        publish();
        return new PartFile(name, size, HexFormat.of().formatHex(digest.digest()));
    }

    /** Discards the file unless it was committed. */
    @Override
    public abstract void close() throws IOException;

    abstract void append(byte[] bytes, int offset, int length) throws IOException;

    abstract void publish() throws IOException;
}
