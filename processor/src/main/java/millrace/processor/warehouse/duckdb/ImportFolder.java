package millrace.processor.warehouse.duckdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The working folder of an import, {@code {dataset}/.loading}. It is on the disk of the versions, so that the finished
 * file can be moved atomically. A lock admits one process at a time; the operating system releases it when the process
 * dies, and the next import deletes leftover files.
 */
public final class ImportFolder implements AutoCloseable {
    private static final String NAME = ".loading";
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel channel;
    /** Clears the folder when the process is stopped, for example with Ctrl-C. */
    private final Thread atExit = new Thread(this::clearQuietly);

    private ImportFolder(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Locks the folder; empty where another process is importing this dataset. */
    public static Optional<ImportFolder> open(Path warehouse, String dataset) throws IOException {
        Path folder = warehouse.resolve(dataset).resolve(NAME).toAbsolutePath().normalize();
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var opened = new ImportFolder(folder, channel);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                opened.clear();
                Runtime.getRuntime().addShutdownHook(opened.atExit);
                return Optional.of(opened);
            }
        } catch (OverlappingFileLockException e) {
            // another import of this process holds the lock
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return Optional.empty();
    }

    public Path path() {
        return folder;
    }

    /** Deletes all files but the lock. */
    void clear() throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.walk(folder)) {
            found = files.sorted(Comparator.reverseOrder())
                    .filter(f -> !f.equals(folder) && !f.equals(folder.resolve(LOCK)))
                    .toList();
        }
        for (Path file : found) {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            clear();
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the JVM is shutting down already
        } finally {
            channel.close();
        }
    }

    private void clearQuietly() {
        try {
            clear();
        } catch (IOException e) {
            // the next import deletes the files
        }
    }
}
