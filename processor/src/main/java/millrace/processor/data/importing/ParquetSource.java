package millrace.processor.data.importing;

import millrace.catalog.text.Text;
import millrace.processor.warehouse.duckdb.SqlText;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads a Parquet file with DuckDB. Typed columns are read as text, so that the same checks apply as for CSV. */
final class ParquetSource implements RowSource {
    private static final String BYTES = "BLOB";

    private final String name;
    private final Statement statement;
    private final ResultSet rows;
    private final List<String> header;
    /** Which columns are bytes, and not texts. */
    private final boolean[] bytes;

    private final String[] cells;
    private final long count;
    private long row;

    private ParquetSource(String name, Statement statement, ResultSet rows, List<String> header, long count)
            throws SQLException {
        this.name = name;
        this.statement = statement;
        this.rows = rows;
        this.header = header;
        this.cells = new String[header.size()];
        this.bytes = new boolean[header.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = rows.getMetaData().getColumnTypeName(i + 1).equals(BYTES);
        }
        this.count = count;
    }

    public static ParquetSource open(StagingDatabase staging, Path file) throws IOException {
        String table = "read_parquet(" + SqlText.onePath(file) + ", hive_partitioning = false)";
        try {
            List<String> header = new ArrayList<>();
            List<String> columns = new ArrayList<>();
            try (Statement describe = staging.statement();
                    ResultSet found = describe.executeQuery("DESCRIBE SELECT * FROM " + table)) {
                while (found.next()) {
                    header.add(found.getString("column_name"));
                    columns.add(asText(found.getString("column_name"), found.getString("column_type")));
                }
            }
            long count =
                    staging.number("SELECT sum(num_rows) FROM parquet_file_metadata(" + SqlText.onePath(file) + ")");
            Statement statement = staging.statement();
            ResultSet rows = statement.executeQuery("SELECT " + String.join(", ", columns) + " FROM " + table);
            return new ParquetSource(file.toString(), statement, rows, header, count);
        } catch (SQLException e) {
            throw new IOException(
                    Text.list(String.valueOf(e.getMessage()).lines().limit(1).toList()), e);
        }
    }

    /** The SQL for a column's text as in a CSV file. Nested values become text that no check accepts. */
    private static String asText(String column, String type) {
        String name = SqlText.name(column);
        String upper = type.toUpperCase(Locale.ROOT);
        if (upper.startsWith("TIMESTAMP")) {
            // Tools without a date type write the midnight.
            return "CASE WHEN CAST(" + name + " AS TIMESTAMP) = CAST(CAST(" + name
                    + " AS DATE) AS TIMESTAMP) THEN CAST(CAST(" + name + " AS DATE) AS VARCHAR) ELSE CAST(" + name
                    + " AS VARCHAR) END";
        }
        // Texts that the file does not declare as such are decoded here, so that a wrong one is found by row and
        // column.
        return upper.equals(BYTES) ? name : "CAST(" + name + " AS VARCHAR)";
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> header() {
        return header;
    }

    @Override
    public boolean next() throws IOException {
        try {
            if (!rows.next()) {
                return false;
            }
            for (int i = 0; i < cells.length; i++) {
                cells[i] = read(i);
            }
            row++;
            return true;
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private String read(int column) throws SQLException {
        if (!bytes[column]) {
            String text = rows.getString(column + 1);
            return text == null ? "" : text;
        }
        byte[] text = rows.getBytes(column + 1);
        return text == null ? "" : new String(text, StandardCharsets.UTF_8);
    }

    @Override
    public int cells() {
        return cells.length;
    }

    @Override
    public String cell(int column) {
        return cells[column];
    }

    @Override
    public long line() {
        return row;
    }

    @Override
    public String place(long line) {
        return name + ": row " + line;
    }

    @Override
    public double fraction() {
        return count == 0 ? 1 : Math.min(1, row / (double) count);
    }

    @Override
    public void close() throws IOException {
        try {
            rows.close();
            statement.close();
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
