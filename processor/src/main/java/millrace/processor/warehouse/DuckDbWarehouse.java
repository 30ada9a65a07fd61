package millrace.processor.warehouse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import millrace.processor.warehouse.WarehouseException.Reason;
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

    private final Deque<DuckDbSession> idle = new ArrayDeque<>();
    private boolean closed;

    /** @throws WarehouseException where DuckDB cannot be started with these settings */
    public DuckDbWarehouse(WarehouseFolder folder, DuckDbSettings settings) throws WarehouseException {
        this.folder = folder;
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
        String dataset = query.dataset().name();
        String alias = attach(dataset, query.version());
        try {
            var sql = new SliceSql(alias + ".\"" + dataset + "\"", query);
            return new DuckDbRowStream(query, sql, borrow(), session -> giveBack(session, alias));
        } catch (WarehouseException e) {
            left(alias);
            throw e;
        }
    }

    /** A deleted file takes room until it is detached. */
    @Override
    public synchronized void letGo() {
        List<String> gone = attached.entrySet().stream()
                .filter(a -> a.getValue().readers == 0 && !Files.exists(a.getValue().file))
                .map(Map.Entry::getKey)
                .toList();
        if (closed || gone.isEmpty()) {
            return;
        }
        // Their prepared statements may know what goes.
        idle.forEach(DuckDbSession::close);
        idle.clear();
        for (String alias : gone) {
            try (Statement statement = root.createStatement()) {
                statement.execute("DETACH " + alias);
                attached.remove(alias);
            } catch (SQLException e) {
                LOG.warn("{} cannot be detached yet: {}", alias, e.getMessage());
            }
        }
    }

    /** A file, and how many queries read it. */
    private static final class Attached {
        private final Path file;
        private int readers;

        Attached(Path file) {
            this.file = file;
        }
    }

    private synchronized void left(String alias) {
        Attached file = attached.get(alias);
        if (file != null) {
            file.readers--;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(DuckDbSession::close);
        idle.clear();
        try {
            root.close();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB cannot be closed", e);
        }
    }

    /** The alias of the version's file, which stays attached until {@link #left}. */
    private synchronized String attach(String dataset, String version) throws WarehouseException {
        Path file = folder.file(dataset, version);
        String alias = "\"" + dataset + "@" + version + "\"";
        Attached known = attached.get(alias);
        if (known == null && !Files.isRegularFile(file)) {
            throw new WarehouseException(
                    Reason.UNAVAILABLE, "version " + version + " of dataset " + dataset + " does not exist");
        }
        if (known == null) {
            try (Statement statement = root.createStatement()) {
                statement.execute("ATTACH '" + file.toString().replace("'", "''") + "' AS " + alias + " (READ_ONLY)");
            } catch (SQLException e) {
                throw new WarehouseException(
                        Reason.UNAVAILABLE,
                        "version " + version + " of dataset " + dataset + " cannot be read: " + e.getMessage(),
                        e);
            }
            known = new Attached(file);
            attached.put(alias, known);
        }
        known.readers++;
        return alias;
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

    private synchronized void giveBack(DuckDbSession session, String alias) {
        left(alias);
        if (closed || !session.usable()) {
            session.close();
        } else {
            idle.push(session);
        }
    }
}
