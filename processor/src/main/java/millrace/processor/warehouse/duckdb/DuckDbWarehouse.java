package millrace.processor.warehouse.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import millrace.processor.warehouse.duckdb.query.DuckDbRowStream;
import millrace.processor.warehouse.duckdb.query.DuckDbSession;
import millrace.processor.warehouse.duckdb.query.EntityRowRanges;
import millrace.processor.warehouse.duckdb.query.RowRangeReader;
import millrace.processor.warehouse.duckdb.query.SliceReader;
import millrace.processor.warehouse.duckdb.query.SliceSql;
import millrace.processor.warehouse.duckdb.query.SortingSliceReader;
import millrace.processor.warehouse.index.EntityIndexFile;
import millrace.processor.warehouse.index.EntityIndexFiles;
import millrace.processor.warehouse.index.EntityIndexRowStream;
import millrace.processor.warehouse.index.IndexedColumns;
import millrace.processor.warehouse.rows.SliceColumns;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DuckDB over the files of a {@link WarehouseFolder}. One instance has all of them attached, read-only, so that one memory
 * limit and one cache serve all; each running query has a connection of its own.
 */
public final class DuckDbWarehouse implements Warehouse {
    private static final Logger LOG = LoggerFactory.getLogger(DuckDbWarehouse.class);

    private final WarehouseFolder folder;
    private final DuckDBConnection root;
    /** By alias. */
    private final Map<String, Attached> attached = new HashMap<>();

    private final EntityIndexFiles copies;
    private final Deque<DuckDbSession> idle = new ArrayDeque<>();
    private boolean closed;

    /** @throws WarehouseException where DuckDB cannot be started with these settings */
    public DuckDbWarehouse(WarehouseFolder folder, DuckDbSettings settings) throws WarehouseException {
        this.folder = folder;
        this.copies =
                new EntityIndexFiles(settings.tempDirectory().resolve("copies"), folder.root(), settings.indexRows());
        var properties = new Properties();
        properties.setProperty("memory_limit", settings.memoryLimit());
        properties.setProperty("threads", Integer.toString(settings.threads()));
        properties.setProperty(
                "temp_directory", settings.tempDirectory().toAbsolutePath().toString());
        properties.setProperty("autoinstall_known_extensions", "false");
        properties.setProperty("autoload_known_extensions", "false");
        try {
            this.root = DriverManager.getConnection("jdbc:duckdb:", properties).unwrap(DuckDBConnection.class);
        } catch (SQLException e) {
            throw new WarehouseException(Reason.FAILED, "DuckDB cannot be started: " + e.getMessage(), e);
        }
    }

    @Override
    public RowStream open(SliceQuery query) throws WarehouseException {
        Attached version = attach(query.dataset(), query.version());
        EntityIndexFile copy = version.copy;
        // An index that is gone says that the rows lie otherwise.
        if (copy != null && version.ranges.isPresent()) {
            SliceColumns columns = SliceColumns.of(query);
            if (copy.columns().contain(columns.names())) {
                return new EntityIndexRowStream(query, columns, copy, () -> left(version));
            }
        }
        try {
            var sql = new SliceSql(version.table, query);
            // Very many neighbours are found faster by one scan.
            SliceReader reading = version.ranges
                    .filter(ranges -> !query.dense())
                    .<SliceReader>map(index -> new RowRangeReader(query, index, sql, version.table))
                    .orElseGet(() -> new SortingSliceReader(query, sql));
            return new DuckDbRowStream(query, reading, borrow(), session -> giveBack(session, version));
        } catch (WarehouseException e) {
            left(version);
            throw e;
        }
    }

    /** From now on the version is read by searching and sorting. */
    @Override
    public synchronized void notSorted(SliceQuery query) {
        Attached version = attached.get(alias(query.dataset(), query.version()));
        if (version != null) {
            version.ranges = Optional.empty();
        }
    }

    /** Waits for the copies of what has been read so far. */
    public void awaitIndexes() throws InterruptedException {
        copies.await();
    }

    /** A deleted file takes room until it is detached. */
    @Override
    public synchronized void releaseDeleted() {
        List<String> gone = attached.entrySet().stream()
                .filter(a -> a.getValue().readers == 0 && !Files.exists(a.getValue().file))
                .map(Map.Entry::getKey)
                .toList();
        copies.deleteGone(Instant.now());
        if (closed || gone.isEmpty()) {
            return;
        }
        // Their prepared statements may know what goes.
        idle.forEach(DuckDbSession::close);
        idle.clear();
        for (String alias : gone) {
            try (Statement statement = root.createStatement()) {
                statement.execute("DETACH " + alias);
                closeCopy(Objects.requireNonNull(attached.remove(alias)));
            } catch (SQLException e) {
                LOG.warn("{} cannot be detached yet: {}", alias, e.getMessage());
            }
        }
    }

    /** A file, and how many queries read it. */
    private static final class Attached {
        private final Path file;
        /** As it stands in FROM. */
        private final String table;

        private volatile Optional<EntityRowRanges> ranges;
        private volatile @Nullable EntityIndexFile copy;
        private int readers;

        Attached(Path file, String table, Optional<EntityRowRanges> ranges) {
            this.file = file;
            this.table = table;
            this.ranges = ranges;
        }
    }

    private synchronized void left(Attached version) {
        version.readers--;
        if (closed) {
            closeCopy(version);
        }
    }

    private static void closeCopy(Attached version) {
        EntityIndexFile copy = version.copy;
        if (copy != null && version.readers == 0) {
            version.copy = null;
            copy.close();
        }
    }

    @Override
    public void close() {
        copies.close();
        closeEngine();
    }

    private synchronized void closeEngine() {
        closed = true;
        attached.values().forEach(DuckDbWarehouse::closeCopy);
        idle.forEach(DuckDbSession::close);
        idle.clear();
        try {
            root.close();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB cannot be closed", e);
        }
    }

    /** The version's file, which stays attached until {@link #left}. */
    private synchronized Attached attach(Dataset dataset, String version) throws WarehouseException {
        Path file = folder.file(dataset.name(), version);
        String alias = alias(dataset, version);
        Attached known = attached.get(alias);
        if (known == null && !Files.isRegularFile(file)) {
            throw new WarehouseException(
                    Reason.MISSING, "version " + version + " of dataset " + dataset.name() + " does not exist");
        }
        if (known == null) {
            try (Statement statement = root.createStatement()) {
                statement.execute("ATTACH '" + file.toString().replace("'", "''") + "' AS " + alias + " (READ_ONLY)");
                String table = alias + ".\"" + dataset.name() + "\"";
                known = new Attached(file, table, EntityRowRanges.of(root, table, dataset));
            } catch (SQLException e) {
                throw new WarehouseException(
                        Reason.MISSING,
                        "version " + version + " of dataset " + dataset.name() + " cannot be read: " + e.getMessage(),
                        e);
            }
            attached.put(alias, known);
            copy(dataset, known);
        }
        known.readers++;
        return known;
    }

    /** Until there is one, and where there will be none, the version itself is read. */
    private void copy(Dataset dataset, Attached version) {
        version.ranges.ifPresent(index -> {
            version.readers++;
            copies.obtain(
                    new EntityIndexFiles.Original(
                            dataset,
                            version.file,
                            version.table,
                            index.rows(),
                            IndexedColumns.of(dataset, index.columns())),
                    () -> new DuckDbSession(root),
                    copy -> {
                        version.copy = copy.orElse(null);
                        left(version);
                    });
        });
    }

    private static String alias(Dataset dataset, String version) {
        return "\"" + dataset.name() + "@" + version + "\"";
    }

    private DuckDbSession borrow() throws WarehouseException {
        @Nullable DuckDbSession session;
        synchronized (this) {
            if (closed) {
                throw new WarehouseException(Reason.CANCELLED, "the warehouse is closed");
            }
            session = idle.poll();
        }
        return session == null ? new DuckDbSession(root) : session;
    }

    private synchronized void giveBack(DuckDbSession session, Attached version) {
        left(version);
        if (closed || !session.usable()) {
            session.close();
        } else {
            idle.push(session);
        }
    }
}
