package millrace.files.store;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import millrace.contracts.Hashes;
import millrace.contracts.reports.StoredFile;

/** A file being written: counts and hashes its bytes. Closed without a commit, it leaves nothing behind. One thread at a time. */
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

    /** Bytes that reach the file another way count like those written. */
    public final void count(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
        size += length;
    }

    /** Bytes so far. */
    public final long size() {
        return size;
    }

    /** Publishes the file under its name, at once and whole. Call it once; the writer is closed afterwards. */
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
