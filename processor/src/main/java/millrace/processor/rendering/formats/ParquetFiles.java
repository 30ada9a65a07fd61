package millrace.processor.rendering.formats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.FileFormat.Compression;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.duckdb.DuckDb;
import millrace.processor.warehouse.duckdb.SqlText;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Writes Parquet files with a separate DuckDB instance, from CSV of a rendered slice or from Parquet parts. Rows keep
 * their order, and the same input gives the same bytes. Memory is limited; temporary files are as large as the result.
 */
public final class ParquetFiles implements AutoCloseable {
    private static final String MEMORY = "256MB";
    private static final String TASK = "task-";
    private static final int ROWS_IN_A_GROUP = 51_200;
    private static final int LONGEST_LINE = 64 * 1024 * 1024;

    private final Path temporary;
    private @Nullable DuckDBConnection database;

    /** @param temporary folder for files that live as long as a task; created when needed */
    public ParquetFiles(Path temporary) {
        this.temporary = temporary.toAbsolutePath();
    }

    /** Creates an empty folder; the caller deletes it with {@link #discard}. */
    Path folder() throws IOException {
        Files.createDirectories(temporary);
        return Files.createTempDirectory(temporary, TASK);
    }

    static void discard(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** Deletes files of workers that died before this time. Returns the number of files. */
    public int deleteOlderThan(Instant before) throws IOException {
        if (!Files.isDirectory(temporary)) {
            return 0;
        }
        int deleted = 0;
        try (Stream<Path> tasks = Files.list(temporary)) {
            for (Path task : tasks.filter(t -> String.valueOf(t.getFileName()).startsWith(TASK))
                    .toList()) {
                if (lastUsed(task).isBefore(before)) {
                    discard(task);
                    deleted++;
                }
            }
        } catch (NoSuchFileException e) {
            // another process deleted it first
        }
        return deleted;
    }

    private static Instant lastUsed(Path folder) throws IOException {
        Instant last = Files.getLastModifiedTime(folder).toInstant();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                last = written.isAfter(last) ? written : last;
            }
        }
        return last;
    }

    void fromCsv(Path csv, ReportLayout layout, Compression codec, Path made) throws IOException {
        String columns = Stream.concat(
                        layout.keyColumns().stream().map(k -> column(k.name(), k.type())),
                        layout.metrics().stream().map(m -> column(m.name(), m.type())))
                .collect(Collectors.joining(", ", "{", "}"));
        copy(
                "read_csv(" + SqlText.onePath(csv) + ", columns = " + columns
                        + ", auto_detect = false, header = false, delim = ',',"
                        + " quote = '\"', escape = '\"', nullstr = '', parallel = false, max_line_size = "
                        + LONGEST_LINE + ")",
                codec,
                made);
    }

    /** Writes one file with the rows of all parts, in the order of the parts. */
    public StoredFile merge(ReportStore store, String name, List<StoredFile> parts) throws IOException {
        Path folder = folder();
        try (ReportFileWriter whole = store.create(name)) {
            List<String> local = new ArrayList<>();
            for (StoredFile part : parts) {
                Path copy = folder.resolve("part-" + local.size());
                try (var out = Files.newOutputStream(copy)) {
                    store.copy(part, out);
                }
                local.add(SqlText.onePath(copy));
            }
            Path made = folder.resolve("whole");
            copy(
                    "read_parquet([" + String.join(", ", local) + "])",
                    FileFormat.ofName(name).compression(),
                    made);
            Files.copy(made, whole);
            return whole.commit();
        } finally {
            discard(folder);
        }
    }

    private void copy(String rows, Compression codec, Path made) throws IOException {
        try (Connection connection = database().duplicate();
                Statement sql = connection.createStatement()) {
            sql.execute("COPY (FROM " + rows + ") TO " + SqlText.path(made) + " (FORMAT parquet, COMPRESSION "
                    + codec(codec) + ", ROW_GROUP_SIZE " + ROWS_IN_A_GROUP + ")");
        } catch (SQLException e) {
            throw new IOException("no Parquet file could be made: " + e.getMessage(), e);
        }
    }

    private synchronized DuckDBConnection database() throws SQLException {
        DuckDBConnection open = database;
        if (open == null) {
            open = DuckDb.open(1, MEMORY, temporary.resolve("spill"), Map.of());
            database = open;
        }
        return open;
    }

    private static String codec(Compression codec) {
        return switch (codec) {
            case NONE -> "uncompressed";
            case GZIP -> "gzip";
            case ZSTD -> "zstd";
        };
    }

    private static String column(String name, ColumnType type) {
        String sqlType =
                switch (type) {
                    case TEXT -> "VARCHAR";
                    case DATE -> "DATE";
                    case INTEGER -> "BIGINT";
                    case DOUBLE -> "DOUBLE";
                };
        return "'" + name + "': '" + sqlType + "'";
    }

    @Override
    public synchronized void close() {
        try {
            if (database != null) {
                database.close();
            }
        } catch (SQLException e) {
            throw new UncheckedIOException(new IOException("DuckDB cannot be closed", e));
        }
    }
}
