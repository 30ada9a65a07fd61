package millrace.processor.warehouse.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.duckdb.query.DuckDbSession;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies that this machine has: {@code {folder}/{dataset}/{version}.duckdb.sst}. They are made in the background, one after the
 * other, and may be deleted whenever no process runs: what has none is read from the version itself.
 */
public final class EntityIndexFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EntityIndexFiles.class);
    private static final String SUFFIX = ".sst";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** One that is not written to for so long was being made by a process that is gone. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("copies").factory());
    private final Path folder;
    private final Path versions;
    private final long mostRows;
    private volatile boolean closed;

    /**
     * @param versions the folder of what is copied
     * @param mostRows of a version that is copied
     */
    public EntityIndexFiles(Path folder, Path versions, long mostRows) {
        RocksDB.loadLibrary();
        this.folder = folder.toAbsolutePath();
        this.versions = versions;
        this.mostRows = mostRows;
    }

    /**
     * What is copied.
     *
     * @param table as it stands in FROM
     */
    public record Original(Dataset dataset, Path file, String table, long rows, IndexedColumns columns) {}

    /** Gives connections to the engine that holds the original. */
    public interface Sessions {
        DuckDbSession open() throws WarehouseException;
    }

    /**
     * Opens or makes a copy.
     *
     * @param ended called once, with nothing where there is to be none
     */
    public void obtain(Original original, Sessions sessions, Consumer<Optional<EntityIndexFile>> ended) {
        thread.execute(() -> {
            Optional<EntityIndexFile> copy = Optional.empty();
            try {
                if (original.rows <= mostRows) {
                    copy = copy(original, sessions);
                }
            } catch (RocksDBException | WarehouseException e) {
                if (!closed) {
                    LOG.info("{} is read without a copy: {}", original.table, e.getMessage());
                }
            } catch (IOException | SQLException | RuntimeException e) {
                LOG.warn("{} is read without a copy, none could be made", original.table, e);
            } finally {
                ended.accept(copy);
            }
        });
    }

    private Optional<EntityIndexFile> copy(Original original, Sessions sessions)
            throws IOException, SQLException, RocksDBException, WarehouseException {
        Path file = file(original.file);
        var stamp = EntityIndexFile.Stamp.of(original.file, original.columns);
        Optional<EntityIndexFile> known = EntityIndexFile.open(file, stamp);
        if (known.isPresent()) {
            return known;
        }
        long start = System.nanoTime();
        DuckDbSession session = sessions.open();
        try {
            new EntityIndexBuilder(original, () -> closed).run(session, file, stamp);
        } finally {
            session.close();
        }
        LOG.info(
                "{}: {} rows copied to {}, {} MB, in {} s, so that the rows of an entity are found at once",
                original.table,
                original.rows,
                file,
                Files.size(file) >> 20,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        return EntityIndexFile.open(file, stamp);
    }

    /** Deletes copies of what is gone, whose readers read on, and what became none. */
    public void deleteGone(Instant now) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder, 2)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (isGone(file, now)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("old copies in {} cannot be deleted: {}", folder, e.toString());
        }
    }

    private boolean isGone(Path file, Instant now) throws IOException {
        String name = file.toString();
        if (name.endsWith(EntityIndexBuilder.UNFINISHED)) {
            return Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(ABANDONED));
        }
        return name.endsWith(SUFFIX) && !Files.exists(version(file));
    }

    private Path file(Path version) {
        return folder.resolve(versions.relativize(version) + SUFFIX);
    }

    private Path version(Path file) {
        String name = folder.relativize(file).toString();
        return versions.resolve(name.substring(0, name.length() - SUFFIX.length()));
    }

    /** Waits for what has been asked for so far. */
    public void await() throws InterruptedException {
        try {
            thread.submit(() -> {}).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops what is being made. */
    @Override
    public void close() {
        closed = true;
        thread.shutdown();
        try {
            if (!thread.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("a copy is still being made");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
