package millrace.processor.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.function.UnaryOperator;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

/** Reads tables of a warehouse folder. Each call opens the file with its own DuckDB instance. */
public final class FolderTableReader implements TableReader {
    private final WarehouseFolder folder;

    public FolderTableReader(WarehouseFolder folder) {
        this.folder = folder;
    }

    @Override
    public void read(String dataset, String version, UnaryOperator<String> sql, ResultReader rows)
            throws WarehouseException {
        var settings = new Properties();
        settings.setProperty("threads", "1");
        settings.setProperty("memory_limit", "256MB");
        settings.setProperty("temp_directory", "");
        String file = folder.file(dataset, version).toString().replace("'", "''");
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:", settings);
                Statement statement = db.createStatement()) {
            statement.execute("ATTACH '" + file + "' AS v (READ_ONLY)");
            try (ResultSet found = statement.executeQuery(sql.apply("v.\"" + dataset + "\""))) {
                rows.read(found);
            }
        } catch (SQLException e) {
            throw new WarehouseException(
                    Reason.MISSING, "version " + version + " of " + dataset + " cannot be read: " + e.getMessage(), e);
        }
    }
}
