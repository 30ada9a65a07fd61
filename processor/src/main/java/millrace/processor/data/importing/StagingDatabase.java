package millrace.processor.data.importing;

import millrace.processor.warehouse.duckdb.DuckDb;
import millrace.processor.warehouse.duckdb.SqlText;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** A temporary database on disk with the checked rows, in the order of the files, each with its file and line. */
final class StagingDatabase implements AutoCloseable {
    static final String ROWS = "staged";
    /** Number of the file, from 0. */
    static final String FILE = "_file";
    /** Line or number of the row in the file. */
    static final String LINE = "_line";

    private static final String DATABASE = "staging";
    private static final int FLUSH = 50_000;

    private final DuckDBConnection db;
    private final List<TableColumn> columns;
    private final DuckDBAppender appender;
    private long rows;

    /** @param memory for DuckDB, for example {@code 512MB} */
    public StagingDatabase(Path folder, List<TableColumn> columns, String memory, int threads) throws SQLException {
        this.columns = columns;
        this.db = DuckDb.open(threads, memory, folder.resolve("spill"), Map.of("jdbc_stream_results", "true"));
        try (Statement sql = db.createStatement()) {
            sql.execute("ATTACH " + SqlText.path(folder.resolve(DATABASE)) + " AS " + DATABASE);
            sql.execute("USE " + DATABASE);
            sql.execute(
                    "CREATE TABLE " + ROWS + " (" + declared(columns) + ", " + FILE + " INTEGER, " + LINE + " BIGINT)");
            this.appender = db.createAppender(DATABASE, DuckDBConnection.DEFAULT_SCHEMA, ROWS);
        } catch (SQLException e) {
            db.close();
            throw e;
        }
    }

    static String declared(List<TableColumn> columns) {
        return columns.stream()
                .map(c -> SqlText.name(c.name()) + " " + c.type())
                .collect(Collectors.joining(", "));
    }

    public void add(@Nullable Object[] row, int file, long line) throws SQLException {
        appender.beginRow();
        for (int i = 0; i < columns.size(); i++) {
            append(row[i]);
        }
        appender.append(file);
        appender.append(line);
        appender.endRow();
        if (++rows % FLUSH == 0) {
            appender.flush();
        }
    }

    private void append(@Nullable Object value) throws SQLException {
        switch (value) {
            case null -> appender.appendNull();
            case String text -> appender.append(text);
            case Double number -> appender.append(number.doubleValue());
            case Long integer -> appender.append(integer.longValue());
            case LocalDate date -> appender.append(date);
            case Boolean bool -> appender.append(bool.booleanValue());
            default -> throw new IllegalArgumentException("not a cell: " + value);
        }
    }

    /** To be called after the last row. */
    public void complete() throws SQLException {
        appender.close();
    }

    public long rows() {
        return rows;
    }

    Statement statement() throws SQLException {
        return db.createStatement();
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = db.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The single number that a query returns; 0 where it is null. */
    public long number(String sql) throws SQLException {
        try (Statement statement = db.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            return found.next() ? found.getLong(1) : 0;
        }
    }

    @Override
    public void close() throws SQLException {
        db.close();
    }
}
