package millrace.e2e.data;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the warehouse with SQL of the tests, for the expected content of reports. Each dataset is a view. */
public final class WarehouseFiles implements AutoCloseable {
    private static final List<String> DATASETS =
            List.of("demographics", "audience_interests", "keywords", "site_keywords", "traffic_and_engagement");

    private final Connection db;

    private WarehouseFiles(Connection db) {
        this.db = db;
    }

    /** Opens the current versions; a dataset without data is left out. */
    public static WarehouseFiles open(Path warehouse) throws IOException, SQLException {
        var settings = new Properties();
        settings.setProperty("jdbc_stream_results", "true");
        settings.setProperty("memory_limit", "512MB");
        settings.setProperty("threads", "1");
        var files = new WarehouseFiles(DriverManager.getConnection("jdbc:duckdb:", settings));
        for (String dataset : DATASETS) {
            Path folder = warehouse.resolve(dataset);
            if (!Files.exists(folder.resolve("current"))) {
                continue;
            }
            String version = Files.readString(folder.resolve("current")).strip();
            files.execute("ATTACH '" + folder.resolve(version + ".duckdb") + "' AS " + dataset + "_file (READ_ONLY)");
            files.execute("CREATE VIEW " + dataset + " AS SELECT * FROM " + dataset + "_file." + dataset);
        }
        return files;
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = db.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Rows with cells as a client reads them from a file. */
    public List<List<String>> rows(String sql) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        forEach(sql, rows::add);
        return rows;
    }

    /** Passes on the rows one at a time. */
    public void forEach(String sql, Consumer<List<String>> reader) throws SQLException {
        try (Statement statement = db.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            int columns = found.getMetaData().getColumnCount();
            while (found.next()) {
                List<String> row = new ArrayList<>(columns);
                for (int column = 1; column <= columns; column++) {
                    row.add(cell(found.getObject(column)));
                }
                reader.accept(row);
            }
        }
    }

    public long number(String sql) throws SQLException {
        try (Statement statement = db.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            if (!found.next()) {
                throw new AssertionError("no row: " + sql);
            }
            return found.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        db.close();
    }

    private static String cell(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Double number) {
            return number.isNaN() || number.isInfinite()
                    ? ""
                    : new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
        }
        return value.toString();
    }
}
