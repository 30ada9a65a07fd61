package millrace.processor.warehouse.duckdb;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Opens DuckDB. */
public final class DuckDb {
    private DuckDb() {}

    /**
     * Opens an instance in memory, to which files are attached. It loads no extensions, and days and times are those of
     * UTC, whatever the machine's time zone is.
     *
     * @param memory its limit, for example {@code 512MB}
     * @param temporary folder for what does not fit into memory; null for none
     * @param settings more of DuckDB's settings
     */
    public static DuckDBConnection open(
            int threads, String memory, @Nullable Path temporary, Map<String, String> settings) throws SQLException {
        var properties = new Properties();
        properties.setProperty("threads", Integer.toString(threads));
        properties.setProperty("memory_limit", memory);
        properties.setProperty(
                "temp_directory",
                temporary == null ? "" : temporary.toAbsolutePath().toString());
        properties.setProperty("autoinstall_known_extensions", "false");
        properties.setProperty("autoload_known_extensions", "false");
        properties.putAll(settings);
        DuckDBConnection db =
                DriverManager.getConnection("jdbc:duckdb:", properties).unwrap(DuckDBConnection.class);
        try (Statement sql = db.createStatement()) {
            sql.execute("SET GLOBAL TimeZone = 'UTC'");
            return db;
        } catch (SQLException e) {
            db.close();
            throw e;
        }
    }
}
