package millrace.files.disk;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import millrace.files.store.ReportFileWriter;

/** Writes a report file to a temporary file, which {@link #publish} renames. */
final class DiskReportFileWriter extends ReportFileWriter {
    private final DiskReportStore store;
    private final FileChannel channel;
    private final Path temporary;
    private final Path file;
    private final OutputStream out;
    private boolean done;

    DiskReportFileWriter(String name, DiskReportStore store, FileChannel channel, Path temporary) {
        super(name);
        this.store = store;
        this.channel = channel;
        this.temporary = temporary;
        this.file = store.path(name);
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    @Override
    protected void append(byte[] bytes, int offset, int length) throws IOException {
        if (done) {
            throw new IOException("the file is closed: " + file);
        }
        out.write(bytes, offset, length);
    }

    @Override
    protected void publish() throws IOException {
        if (done) {
            throw new IllegalStateException("the file is closed: " + file);
        }
        out.flush();
        if (store.fsync()) {
            channel.force(true);
        }
        channel.close();
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        done = true;
        Path folder = file.getParent();
        if (store.fsync() && folder != null) {
            store.fsyncFolders(folder);
        }
    }

    @Override
    public void close() throws IOException {
        if (!done) {
            done = true;
            channel.close();
            Files.deleteIfExists(temporary);
        }
    }
}
