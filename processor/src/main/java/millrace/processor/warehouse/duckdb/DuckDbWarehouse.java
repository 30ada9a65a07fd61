package millrace.processor.warehouse.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
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
import java.util.Set;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.PortableSql;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of a {@link WarehouseFolder} with DuckDB. One instance has all files attached, read-only, so that
 * they share one memory limit and one cache. Each running query has its own connection.
 */
public final class DuckDbWarehouse implements Warehouse {
    private static final Logger LOG = LoggerFactory.getLogger(DuckDbWarehouse.class);

    private final WarehouseFolder folder;
    private final DuckDBConnection root;
    /** By alias. */
    private final Map<String, Attached> attached = new HashMap<>();

    private final EntityIndexFiles indexes;
    private final Deque<DuckDbSession> idle = new ArrayDeque<>();
    private boolean closed;

    /** @throws WarehouseException where DuckDB cannot be started with these settings */
    public DuckDbWarehouse(WarehouseFolder folder, DuckDbSettings settings) throws WarehouseException {
        this.folder = folder;
        this.indexes =
                new EntityIndexFiles(settings.tempDirectory().resolve("copies"), folder.root(), settings.indexRows());
        try {
            this.root = DuckDb.open(settings.threads(), settings.memoryLimit(), settings.tempDirectory(), Map.of());
        } catch (SQLException e) {
            throw new WarehouseException(Reason.FAILED, "DuckDB cannot be started: " + e.getMessage(), e);
        }
    }

    @Override
    public RowStream open(SliceQuery query) throws WarehouseException {
        Attached version = attach(query.dataset(), query.version());
        EntityIndexFile index = version.index;
        // Without ranges the file is not sorted as expected, and so is its index.
        if (index != null && version.ranges.isPresent()) {
            SliceColumns columns = SliceColumns.of(query);
            if (index.columns().contain(columns.names())) {
                return new EntityIndexRowStream(query, columns, index, () -> left(version));
            }
        }
        try {
            String table =
                    PortableSql.completed(version.table, "stored.rowid, stored.*", query.absentFrom(version.columns));
            var sql = new SliceSql(table, query);
            // Many neighbouring entities are found faster by one scan.
            SliceReader reading = version.ranges
                    .filter(ranges -> !query.dense())
                    .<SliceReader>map(ranges -> new RowRangeReader(query, ranges, sql, table))
                    .orElseGet(() -> new SortingSliceReader(query, sql));
            return new DuckDbRowStream(query, reading, borrow(), session -> giveBack(session, version));
        } catch (WarehouseException e) {
            left(version);
            throw e;
        }
    }

    /** From now on the version is filtered and sorted by the engine. */
    @Override
    public synchronized void notSorted(SliceQuery query) {
        Attached version = attached.get(alias(query.dataset(), query.version()));
        if (version != null) {
            version.ranges = Optional.empty();
        }
    }

    /** Waits until the entity indexes of all versions that were read so far are built. */
    public void awaitIndexes() throws InterruptedException {
        indexes.await();
    }

    /** Detaches deleted files, which take disk space until then. */
    @Override
    public synchronized void releaseDeleted() {
        List<String> gone = attached.entrySet().stream()
                .filter(a -> a.getValue().readers == 0 && !Files.exists(a.getValue().file))
                .map(Map.Entry::getKey)
                .toList();
        indexes.deleteGone(Instant.now());
        if (closed || gone.isEmpty()) {
            return;
        }
        // Their prepared statements may refer to the files.
        idle.forEach(DuckDbSession::close);
        idle.clear();
        for (String alias : gone) {
            try (Statement statement = root.createStatement()) {
                statement.execute("DETACH " + alias);
                closeIndex(Objects.requireNonNull(attached.remove(alias)));
            } catch (SQLException e) {
                LOG.warn("version not detached, the next attempt follows alias={} error={}", alias, e.getMessage());
            }
        }
    }

    /** An attached file, its entity index, and the number of its readers. */
    private static final class Attached {
        private final Path file;
        /** The quoted name for FROM. */
        private final String table;
        /** Names of the table's columns. */
        private final Set<String> columns;

        private volatile Optional<EntityRowRanges> ranges;
        private volatile @Nullable EntityIndexFile index;
        private int readers;

        Attached(Path file, String table, Set<String> columns, Optional<EntityRowRanges> ranges) {
            this.file = file;
            this.table = table;
            this.columns = columns;
            this.ranges = ranges;
        }
    }

    private synchronized void left(Attached version) {
        version.readers--;
        if (closed) {
            closeIndex(version);
        }
    }

    private static void closeIndex(Attached version) {
        EntityIndexFile index = version.index;
        if (index != null && version.readers == 0) {
            version.index = null;
            index.close();
        }
    }

    @Override
    public void close() {
        indexes.close();
        closeEngine();
    }

    private synchronized void closeEngine() {
        closed = true;
        attached.values().forEach(DuckDbWarehouse::closeIndex);
        idle.forEach(DuckDbSession::close);
        idle.clear();
        try {
            root.close();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB cannot be closed", e);
        }
    }

    /** Attaches the version's file, which stays attached at least until {@link #left}. */
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
                statement.execute("ATTACH " + SqlText.path(file) + " AS " + alias + " (READ_ONLY)");
                String table = alias + "." + SqlText.name(dataset.name());
                known = new Attached(file, table, columns(statement, table), EntityRowRanges.of(root, table, dataset));
            } catch (SQLException e) {
                throw new WarehouseException(
                        Reason.MISSING,
                        "version " + version + " of dataset " + dataset.name() + " cannot be read: " + e.getMessage(),
                        e);
            }
            attached.put(alias, known);
            index(dataset, known);
        }
        known.readers++;
        return known;
    }

    /**
     * Opens or builds the entity index in the background. Until it is there, and where it cannot be built, the version
     * itself is read.
     */
    private void index(Dataset dataset, Attached version) {
        version.ranges.ifPresent(ranges -> {
            version.readers++;
            indexes.openOrBuild(
                    new EntityIndexFiles.Source(
                            dataset,
                            version.file,
                            version.table,
                            ranges.rows(),
                            IndexedColumns.of(dataset, version.columns)),
                    () -> new DuckDbSession(root),
                    index -> {
                        version.index = index.orElse(null);
                        left(version);
                    });
        });
    }

    private static Set<String> columns(Statement statement, String table) throws SQLException {
        try (ResultSet none = statement.executeQuery(PortableSql.noRows(table))) {
            return PortableSql.columns(none);
        }
    }

    private static String alias(Dataset dataset, String version) {
        return SqlText.name(dataset.name() + "@" + version);
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
