package millrace.files.store;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import millrace.contracts.Hashes;
import millrace.contracts.reports.StoredFile;

/**
 * Writes a report file, and counts and hashes its bytes. A writer that is closed without a commit
 * leaves nothing behind. For one thread at a time.
 */
public abstract class ReportFileWriter extends OutputStream {
    private final String name;
    private final MessageDigest digest = Hashes.sha256();
    private long size;

    public ReportFileWriter(String name) {
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

    /** Counts and hashes bytes that reach the file in another way. */
    public final void count(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
        size += length;
    }

    /** Bytes written and counted so far. */
    public final long size() {
        return size;
    }

    /**
     * Publishes the whole file under its name at once. Must be called at most once; the writer is
     * closed afterwards.
     */
    public final StoredFile commit() throws IOException {
        publish();
        return new StoredFile(name, size, HexFormat.of().formatHex(digest.digest()));
    }

    /** Discards the file unless it was committed. */
    @Override
    public abstract void close() throws IOException;

    protected abstract void append(byte[] bytes, int offset, int length) throws IOException;

    protected abstract void publish() throws IOException;
}
