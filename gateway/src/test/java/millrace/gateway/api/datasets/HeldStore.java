package millrace.gateway.api.datasets;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;

/** A folder that counts what is read of it, and does not answer while it is held. */
final class HeldStore implements ReportStore {
    private final ReportStore folder;
    private final AtomicInteger reads = new AtomicInteger();
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile boolean broken;

    HeldStore(Path root) throws IOException {
        this.folder = new DiskReportStore(root, false);
    }

    /** Parts of files that were read so far. */
    int reads() {
        return reads.get();
    }

    void hold() {
        held = new CountDownLatch(1);
    }

    /** Whether reading throws what is not an {@link IOException}. */
    void setBroken(boolean now) {
        broken = now;
    }

    void release() {
        held.countDown();
    }

    private void answer() throws IOException {
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (broken) {
            throw new IllegalStateException("a fault of a client library");
        }
    }

    @Override
    public byte[] read(String name, long from, int length) throws IOException {
        reads.incrementAndGet();
        answer();
        return folder.read(name, from, length);
    }

    @Override
    public ReportFileWriter create(String name) throws IOException {
        return folder.create(name);
    }

    @Override
    public SeekableByteChannel open(String name) throws IOException {
        answer();
        return folder.open(name);
    }

    @Override
    public boolean exists(String name) {
        return folder.exists(name);
    }

    @Override
    public void delete(String name) throws IOException {
        folder.delete(name);
    }

    @Override
    public void visit(Instant writtenBefore, Visitor visitor) throws IOException {
        folder.visit(writtenBefore, visitor);
    }

    @Override
    public int deleteUnfinished(Instant writtenBefore) throws IOException {
        return folder.deleteUnfinished(writtenBefore);
    }
}
