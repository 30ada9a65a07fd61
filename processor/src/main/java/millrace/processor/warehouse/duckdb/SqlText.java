package millrace.processor.warehouse.duckdb;

import java.nio.file.Path;

/** Names, texts and paths in SQL for DuckDB. */
public final class SqlText {
    private SqlText() {}

    public static String name(String identifier) {
        return "\"" + identifier.replace("\"", "\"\"") + "\"";
    }

    public static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    /** A file in ATTACH and COPY … TO. Absolute, since DuckDB gives {@code ~} and {@code x:} at its begin a meaning. */
    public static String path(Path file) {
        return text(file.toAbsolutePath().toString());
    }

    /**
     * A file in read_csv, read_parquet and the like, which take patterns: this file alone. Where its name has both a
     * backslash and a sign of patterns, DuckDB finds nothing.
     */
    public static String onePath(Path file) {
        return text(file.toAbsolutePath().toString().replaceAll("[*?\\[]", "[$0]"));
    }
}
