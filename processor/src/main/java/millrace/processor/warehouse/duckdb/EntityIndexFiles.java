package millrace.processor.warehouse.duckdb;

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
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entity indexes on this machine, {@code {folder}/{dataset}/{version}.duckdb.sst}. They are built in the
 * background, one after the other. They may be deleted while no process runs: a version without an index is read
 * itself.
 */
final class EntityIndexFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EntityIndexFiles.class);
    private static final String SUFFIX = ".sst";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    /** An unfinished file that was not changed for this time belongs to a dead process. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("entity-index").factory());
    private final Path folder;
    private final Path versions;
    private final long mostRows;
    private volatile boolean closed;

    /**
     * @param versions the folder of the versions
     * @param mostRows greatest number of rows of a version that is indexed
     */
    public EntityIndexFiles(Path folder, Path versions, long mostRows) {
        RocksDB.loadLibrary();
        this.folder = folder.toAbsolutePath();
        this.versions = versions;
        this.mostRows = mostRows;
    }

    /**
     * The version that an index is built from.
     *
     * @param table the quoted name for FROM
     */
    public record Source(Dataset dataset, Path file, String table, long rows, IndexedColumns columns) {}

    /** Opens connections to the engine that has the version attached. */
    public interface Sessions {
        DuckDbSession open() throws WarehouseException;
    }

    /**
     * Opens or builds an index in the background.
     *
     * @param ended called once, with an empty value where there will be no index
     */
    void openOrBuild(Source source, Sessions sessions, Consumer<Optional<EntityIndexFile>> ended) {
        thread.execute(() -> {
            Optional<EntityIndexFile> index = Optional.empty();
            try {
                if (source.rows <= mostRows) {
                    index = index(source, sessions);
                }
            } catch (RocksDBException | WarehouseException e) {
                if (!closed) {
                    LOG.info("no entity index table={} reason={}", source.table, e.getMessage());
                }
            } catch (IOException | SQLException | RuntimeException e) {
                LOG.warn("building the entity index failed table={}", source.table, e);
            } finally {
                ended.accept(index);
            }
        });
    }

    private Optional<EntityIndexFile> index(Source source, Sessions sessions)
            throws IOException, SQLException, RocksDBException, WarehouseException {
        Path file = file(source.file);
        var stamp = EntityIndexFile.Stamp.of(source.file, source.columns);
        Optional<EntityIndexFile> known = EntityIndexFile.open(file, stamp);
        if (known.isPresent()) {
            return known;
        }
        long start = System.nanoTime();
        DuckDbSession session = sessions.open();
        try {
            new EntityIndexBuilder(source, () -> closed).run(session, file, stamp);
        } finally {
            session.close();
        }
        LOG.info(
                "entity index built table={} rows={} file={} megabytes={} seconds={}",
                source.table,
                source.rows,
                file,
                Files.size(file) >> 20,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        return EntityIndexFile.open(file, stamp);
    }

    /** Deletes indexes of deleted versions, and unfinished files of dead processes. Open readers keep reading. */
    void deleteGone(Instant now) {
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
            LOG.warn("old entity indexes not deleted folder={} error={}", folder, e.toString());
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

    /** Waits until all indexes that were requested so far are built. */
    public void await() throws InterruptedException {
        try {
            thread.submit(() -> {}).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops building, and waits a moment for the end. */
    @Override
    public void close() {
        closed = true;
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("entity index is still being built timeout={}", CLOSE_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
