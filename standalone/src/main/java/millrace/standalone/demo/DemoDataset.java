package millrace.standalone.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.regex.Pattern;
import millrace.processor.warehouse.duckdb.DuckDb;
import millrace.processor.warehouse.duckdb.SqlText;
import org.duckdb.DuckDBConnection;

/**
 * Writes one dataset's file, part by part in the order of the sites, so that sorting a part needs
 * little memory.
 */
final class DemoDataset {
    /** Sites of a part. */
    static final int PART = 32;

    private static final String PARTS = "-- next part, for sites $from to $to";

    private final String name;
    private final DemoData data;

    DemoDataset(String name, DemoData data) {
        this.name = name;
        this.data = data;
    }

    /** @param progress called with the completed fraction, from 0 to 1 */
    void write(Path file, DoubleConsumer progress) throws SQLException, IOException {
        try (DuckDBConnection db =
                        DuckDb.open(1, "512MB", file.resolveSibling(file.getFileName() + ".spill"), Map.of());
                Statement sql = db.createStatement()) {
            names(db, sql);
            sql.execute("ATTACH " + SqlText.path(file) + " AS out");
            String[] steps = resource(name + ".sql").split(Pattern.quote(PARTS), 2);
            sql.execute(steps[0]);
            for (int from = 0; from < data.sites(); from += PART) {
                sql.execute(steps[1].replace("$from", Integer.toString(from))
                        .replace("$to", Integer.toString(from + PART)));
                progress.accept((from + PART) / (double) data.sites());
            }
            sql.execute("CHECKPOINT out");
            boolean sparse = isSparse(sql);
            if (sparse) {
                sql.execute("ATTACH " + SqlText.path(whole(file)) + " AS whole");
                sql.execute("CREATE TABLE whole." + name + " AS FROM out." + name);
                sql.execute("CHECKPOINT whole");
                sql.execute("DETACH whole");
            }
            sql.execute("DETACH out");
            if (sparse) {
                Files.move(whole(file), file, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Path whole(Path file) {
        return file.resolveSibling(file.getFileName() + ".whole");
    }

    /**
     * Whether a third of the file or more is unused: tables of many columns leave blocks behind, since the rows at the
     * end of a part are written again with the next part. The table is then copied to a file without them.
     */
    private static boolean isSparse(Statement sql) throws SQLException {
        try (ResultSet size = sql.executeQuery(
                "SELECT 3 * free_blocks >= total_blocks FROM pragma_database_size() WHERE database_name = 'out'")) {
            return size.next() && size.getBoolean(1);
        }
    }

    private void names(DuckDBConnection db, Statement sql) throws SQLException {
        sql.execute("SET VARIABLE seed = " + data.seed());
        sql.execute("SET VARIABLE last_day = DATE '" + data.lastDay() + "'");
        sql.execute("CREATE TABLE domains (id INTEGER, domain VARCHAR)");
        sql.execute("CREATE TABLE keywords (id INTEGER, keyword VARCHAR)");
        sql.execute("CREATE TABLE countries (n INTEGER, country VARCHAR, weight DOUBLE)");
        fill(db, "INSERT INTO domains VALUES (?, ?)", DemoNames.domains());
        fill(db, "INSERT INTO keywords VALUES (?, ?)", DemoNames.keywords());
        fill(db, "INSERT INTO countries VALUES (?, ?, NULL)", DemoNames.countries());
        sql.execute("UPDATE countries SET weight = CASE n WHEN 0 THEN 1.4 ELSE 0.3 / power(n, 0.8) END");
        sql.execute(resource("common.sql"));
    }

    private static void fill(DuckDBConnection db, String insert, List<String> names) throws SQLException {
        try (PreparedStatement row = db.prepareStatement(insert)) {
            for (int i = 0; i < names.size(); i++) {
                row.setInt(1, i);
                row.setString(2, names.get(i));
                row.addBatch();
            }
            row.executeBatch();
        }
    }

    private static String resource(String name) {
        try (InputStream in = DemoDataset.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
