package millrace.processor.warehouse.duckdb;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;

/** A connection with its prepared statements, used by one query at a time. After an error it is not used again. */
final class DuckDbSession {
    private static final int STATEMENTS = 64;

    private final DuckDBConnection connection;
    private final Map<String, DuckDBPreparedStatement> prepared = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable DuckDBPreparedStatement running;
    private volatile boolean usable = true;

    public DuckDbSession(DuckDBConnection root) throws WarehouseException {
        try {
            this.connection = root.duplicate();
        } catch (SQLException e) {
            throw new WarehouseException(Reason.FAILED, "no connection to DuckDB: " + e.getMessage(), e);
        }
    }

    /** Sets a statement's parameters. */
    public interface Parameters {
        void bind(DuckDBPreparedStatement statement) throws SQLException;
    }

    /** Runs a query. The whole result is held outside the Java heap; errors are thrown here, not while it is read. */
    public DuckDBChunkedResult query(String sql, Parameters parameters) throws WarehouseException {
        DuckDBPreparedStatement statement = prepare(sql);
        try {
            parameters.bind(statement);
            running(statement);
            return statement.query();
        } catch (SQLException e) {
            usable = false;
            throw new WarehouseException(Reason.FAILED, "the query failed: " + e.getMessage(), e);
        } finally {
            running(null);
        }
    }

    /** Interrupts the running query, from another thread. The session must not be used afterwards. */
    synchronized void cancel() {
        usable = false;
        if (running != null) {
            try {
                running.cancel();
            } catch (SQLException e) {
                throw new IllegalStateException("DuckDB cannot be interrupted", e);
            }
        }
    }

    public boolean usable() {
        return usable;
    }

    public void close() {
        try {
            for (DuckDBPreparedStatement statement : prepared.values()) {
                statement.close();
            }
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("a connection to DuckDB cannot be closed", e);
        }
    }

    private synchronized void running(@Nullable DuckDBPreparedStatement statement) {
        running = statement;
    }

    private DuckDBPreparedStatement prepare(String sql) throws WarehouseException {
        DuckDBPreparedStatement known = prepared.get(sql);
        if (known != null) {
            return known;
        }
        try {
            DuckDBPreparedStatement made = connection.prepare(sql);
            prepared.put(sql, made);
            if (prepared.size() > STATEMENTS) {
                var eldest = prepared.entrySet().iterator();
                eldest.next().getValue().close();
                eldest.remove();
            }
            return made;
        } catch (SQLException e) {
            usable = false;
            // The SQL follows from the catalog, so a missing table or column is a problem of the file.
            throw new WarehouseException(Reason.MISSING, "the data do not fit the catalog: " + e.getMessage(), e);
        }
    }
}
