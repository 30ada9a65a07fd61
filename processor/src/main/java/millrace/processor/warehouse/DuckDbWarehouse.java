package millrace.processor.warehouse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB over the files of a {@link WarehouseFolder}. One instance has all of them attached, read-only, so that one memory
 * limit and one cache serve all; each running query has a connection of its own.
 */
public final class DuckDbWarehouse implements Warehouse {
    private final WarehouseFolder folder;
    private final DuckDBConnection root;
    private final Set<String> attached = new HashSet<>();
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
        String table = attach(query.dataset().name(), query.version());
        return new DuckDbRowStream(query, new SliceSql(table, query), borrow(), this::giveBack);
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

    /** The table as it stands in FROM. */
    private synchronized String attach(String dataset, String version) throws WarehouseException {
        Path file = folder.file(dataset, version);
        String alias = "\"" + dataset + "@" + version + "\"";
        if (!Files.isRegularFile(file)) {
            throw new WarehouseException(
                    Reason.UNAVAILABLE, "version " + version + " of dataset " + dataset + " does not exist");
        }
        if (!attached.contains(alias)) {
            try (Statement statement = root.createStatement()) {
                statement.execute("ATTACH '" + file.toString().replace("'", "''") + "' AS " + alias + " (READ_ONLY)");
            } catch (SQLException e) {
                throw new WarehouseException(
                        Reason.UNAVAILABLE,
                        "version " + version + " of dataset " + dataset + " cannot be read: " + e.getMessage(),
                        e);
            }
            attached.add(alias);
        }
        return alias + ".\"" + dataset + "\"";
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

    private synchronized void giveBack(DuckDbSession session) {
        if (closed || !session.usable()) {
            session.close();
        } else {
            idle.push(session);
        }
    }
}
