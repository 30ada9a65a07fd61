package millrace.processor.data.importing;

import millrace.processor.data.importing.Import.ImportOptions;
import millrace.processor.data.importing.Import.ImportResult;
import millrace.processor.data.importing.Import.ImportResult.Imported;
import millrace.processor.data.importing.Import.ImportResult.Refused;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.duckdb.SqlText;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** A folder with files and a warehouse, and imports of these files. */
public record ImportFixture(Path folder) {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T06:15:30Z"));
    private static final PrintStream NOBODY = new PrintStream(PrintStream.nullOutputStream());

    Path warehouse() {
        return folder.resolve("warehouse");
    }

    public WarehouseFolder versions() {
        return new WarehouseFolder(warehouse(), CLOCK);
    }

    public Path file(String name, String text) throws IOException {
        return file(name, text.getBytes(StandardCharsets.UTF_8));
    }

    public Path file(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        if (!name.endsWith(".gz")) {
            return Files.write(file, bytes);
        }
        try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(bytes);
        }
        return file;
    }

    public Path parquet(String name, String select) throws SQLException {
        Path file = folder.resolve(name);
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute("COPY (" + select + ") TO " + SqlText.path(file) + " (FORMAT parquet)");
        }
        return file;
    }

    ImportOptions order(String dataset, Path... files) {
        return new ImportOptions(
                TestWarehouse.dataset(dataset), List.of(files), warehouse(), false, false, ',', "256MB");
    }

    static ImportOptions appending(ImportOptions o) {
        return new ImportOptions(o.dataset(), o.files(), o.warehouse(), true, o.dryRun(), o.separator(), o.memory());
    }

    static ImportOptions dry(ImportOptions o) {
        return new ImportOptions(o.dataset(), o.files(), o.warehouse(), o.append(), true, o.separator(), o.memory());
    }

    static ImportOptions separated(ImportOptions o, char separator) {
        return new ImportOptions(o.dataset(), o.files(), o.warehouse(), o.append(), o.dryRun(), separator, o.memory());
    }

    static ImportResult run(ImportOptions order) throws ImportException {
        return new Import(order, CLOCK, new ImportProgress(NOBODY, false, () -> 0)).run();
    }

    static Imported imported(ImportOptions order) throws ImportException {
        ImportResult result = run(order);
        if (result instanceof Imported done) {
            return done;
        }
        throw new AssertionError(result.toString());
    }

    /** The problems, without the folder of the files. */
    List<String> refused(ImportOptions order) throws ImportException {
        ImportResult result = run(order);
        if (result instanceof Refused refused) {
            return refused.problems().stream()
                    .map(p -> p.replace(folder + "/", ""))
                    .toList();
        }
        throw new AssertionError(result.toString());
    }

    /** Rows of the current version in the order of the file, cells joined by {@code |}. */
    List<String> rows(String dataset, String columns) throws SQLException {
        Path file = versions().file(dataset, versions().current(dataset).orElseThrow());
        List<String> rows = new ArrayList<>();
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute("ATTACH " + SqlText.path(file) + " AS v (READ_ONLY)");
            try (ResultSet found = sql.executeQuery("SELECT " + columns + " FROM v." + dataset + " ORDER BY rowid")) {
                int width = found.getMetaData().getColumnCount();
                while (found.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= width; i++) {
                        row.add(String.valueOf(found.getObject(i)));
                    }
                    rows.add(String.join("|", row));
                }
            }
        }
        return rows;
    }
}
