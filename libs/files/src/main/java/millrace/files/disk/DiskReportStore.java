package millrace.files.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.control.ControlFile;
import millrace.files.store.FileNames;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;

/**
 * A report store in a folder, which several processes may share. A file is written under a
 * temporary name in its own folder and then renamed; of two commits with the same name the later
 * one stays.
 */
public final class DiskReportStore implements ReportStore {
    private static final String UNFINISHED = ".tmp";

    private final Path root;
    private final boolean fsync;

    /**
     * @param fsync whether a committed file survives a power failure, and not only the end of the
     *     process
     * @throws IOException where the folder cannot be written to; its message is for people
     */
    public DiskReportStore(Path root, boolean fsync) throws IOException {
        this.root = root.toAbsolutePath().normalize();
        this.fsync = fsync;
        try {
            Files.createDirectories(this.root);
            Files.delete(Files.createTempFile(this.root, ".probe", UNFINISHED));
        } catch (IOException e) {
            throw new IOException("report folder " + this.root + " cannot be written to: " + e, e);
        }
    }

    @Override
    public ReportFileWriter create(String name) throws IOException {
        Path file = path(name);
        Path folder = folder(file);
        for (int tries = 1; ; tries++) {
            Files.createDirectories(folder);
            try {
                Path temporary = folder.resolve("." + file.getFileName() + "." + UUID.randomUUID() + UNFINISHED);
                FileChannel channel =
                        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                return new DiskReportFileWriter(name, this, channel, temporary);
            } catch (NoSuchFileException e) {
                // The sweeper deleted the folder while it was still empty.
                if (tries == 5) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void replace(String name, byte[] content) throws IOException {
        ControlFile.write(path(name), content);
    }

    @Override
    public SeekableByteChannel open(String name) throws IOException {
        return FileChannel.open(path(name), StandardOpenOption.READ);
    }

    @Override
    public boolean exists(String name) {
        return Files.isRegularFile(path(name));
    }

    @Override
    public void delete(String name) throws IOException {
        Path file = path(name);
        Files.deleteIfExists(file);
        deleteEmptyFolders(folder(file));
    }

    @Override
    public void visit(Instant writtenBefore, Visitor visitor) throws IOException {
        visit(root, writtenBefore, visitor);
    }

    @Override
    public void visit(String folder, Instant writtenBefore, Visitor visitor) throws IOException {
        visit(path(folder), writtenBefore, visitor);
    }

    private void visit(Path folder, Instant writtenBefore, Visitor visitor) throws IOException {
        FileTreeWalk.walk(folder, (file, written) -> {
            if (!unfinished(file) && written.isBefore(writtenBefore)) {
                visitor.visit(name(file));
            }
        });
    }

    @Override
    public int deleteUnfinished(Instant writtenBefore) throws IOException {
        var deleted = new AtomicInteger();
        FileTreeWalk.walk(root, (file, written) -> {
            if (unfinished(file) && written.isBefore(writtenBefore) && Files.deleteIfExists(file)) {
                deleted.incrementAndGet();
                deleteEmptyFolders(folder(file));
            }
        });
        return deleted.get();
    }

    boolean fsync() {
        return fsync;
    }

    Path path(String name) {
        return root.resolve(FileNames.checked(name));
    }

    /** Forces a rename in the folder to disk, and the folders above it, which may be new. */
    void fsyncFolders(Path folder) throws IOException {
        for (Path f = folder; f.startsWith(root); f = folder(f)) {
            ControlFile.forceFolder(f);
        }
    }

    private String name(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private void deleteEmptyFolders(Path folder) throws IOException {
        for (Path f = folder; f.startsWith(root) && !f.equals(root); f = folder(f)) {
            try {
                Files.deleteIfExists(f);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
        }
    }

    private static boolean unfinished(Path file) {
        return String.valueOf(file.getFileName()).startsWith(".");
    }

    private static Path folder(Path file) {
        Path folder = file.getParent();
        if (folder == null) {
            throw new UncheckedIOException(new IOException(file + " has no folder"));
        }
        return folder;
    }
}
