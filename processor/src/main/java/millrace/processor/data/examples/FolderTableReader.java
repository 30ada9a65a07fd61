package millrace.processor.data.examples;

import millrace.processor.warehouse.WarehouseException.Reason;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.duckdb.DuckDb;
import millrace.processor.warehouse.duckdb.SqlText;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Reads tables of a warehouse folder. Each call opens the file with its own DuckDB instance, which
 * has one thread and a memory limit; what needs more, such as grouping millions of entities, goes
 * to temporary files.
 */
public final class FolderTableReader implements TableReader {
    private final WarehouseFolder folder;
    private final Path temporary;
    private final Set<Statement> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param temporary folder for temporary files; created where it is needed */
    public FolderTableReader(WarehouseFolder folder, Path temporary) {
        this.folder = folder;
        this.temporary = temporary.toAbsolutePath();
    }

    @Override
    public void read(String dataset, String version, UnaryOperator<String> sql, ResultReader rows)
            throws WarehouseException {
        createTemporary();
        Path file = folder.file(dataset, version);
        try (Connection db = DuckDb.open(1, "256MB", temporary, Map.of("jdbc_stream_results", "true"));
                Statement statement = db.createStatement()) {
            statement.execute("ATTACH " + SqlText.path(file) + " AS v (READ_ONLY)");
            running.add(statement);
            try {
                // close() either finds the statement, or is found here.
                if (closed) {
                    throw new WarehouseException(Reason.CANCELLED, "the processor is closed");
                }
                try (ResultSet found = statement.executeQuery(sql.apply("v." + SqlText.name(dataset)))) {
                    rows.read(found);
                }
            } finally {
                running.remove(statement);
            }
        } catch (SQLException e) {
            throw new WarehouseException(
                    closed ? Reason.CANCELLED : Reason.MISSING,
                    "version " + version + " of " + dataset + " cannot be read: " + e.getMessage(),
                    e);
        }
    }

    private void createTemporary() throws WarehouseException {
        try {
            Files.createDirectories(temporary);
        } catch (IOException e) {
            throw new WarehouseException(Reason.FAILED, "folder " + temporary + " cannot be created", e);
        }
    }

    /** Cancels the statements that run. */
    @Override
    public void close() {
        closed = true;
        for (Statement statement : running) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                throw new IllegalStateException("DuckDB cannot be interrupted", e);
            }
        }
    }
}
