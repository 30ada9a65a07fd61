package millrace.processor.data.importing;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.text.Text;
import millrace.processor.data.importing.Import.ImportResult.Checked;
import millrace.processor.data.importing.Import.ImportResult.Imported;
import millrace.processor.data.importing.Import.ImportResult.Refused;
import millrace.processor.warehouse.duckdb.ImportFolder;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Imports files as a new version of a dataset: checks every row, sorts, writes, and then makes the version current.
 * Readers see the old version until then. An import that is stopped or killed has changed nothing, or all.
 */
final class Import {
    private static final DateTimeFormatter VERSION =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int THREADS =
            Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));

    /**
     * The options of an import.
     *
     * @param files CSV, CSV with gzip, or Parquet, by the ends of their names
     * @param warehouse the folder of all datasets
     * @param append whether existing rows with other keys are kept
     * @param dryRun whether the files are only checked
     * @param separator between the cells of CSV files
     * @param memory of DuckDB, in addition to the Java heap
     */
    record ImportOptions(
            Dataset dataset,
            List<Path> files,
            Path warehouse,
            boolean append,
            boolean dryRun,
            char separator,
            String memory) {}

    /** The result of an import. */
    sealed interface ImportResult {
        /**
         * The new version is current.
         *
         * @param read rows of the files
         * @param rows of the version
         * @param missing metrics that none of the files has
         * @param before the version that was current
         */
        record Imported(String version, long read, long rows, List<String> missing, Optional<String> before)
                implements ImportResult {}

        /** A dry run found the files valid; nothing was changed. */
        record Checked(long read, List<String> missing) implements ImportResult {}

        /** The files have problems; nothing was changed. */
        record Refused(long count, List<String> problems) implements ImportResult {}
    }

    private final ImportOptions order;
    private final InstantSource clock;
    private final ImportProgress progress;
    private final WarehouseFolder folder;
    private final List<TableColumn> columns;
    private final ImportProblems problems = new ImportProblems();

    public Import(ImportOptions order, InstantSource clock, ImportProgress progress) {
        this.order = order;
        this.clock = clock;
        this.progress = progress;
        this.folder = new WarehouseFolder(order.warehouse(), clock);
        this.columns = TableColumn.of(order.dataset());
    }

    public ImportResult run() throws ImportException {
        String dataset = order.dataset().name();
        try (ImportFolder loading = ImportFolder.open(order.warehouse(), dataset)
                .orElseThrow(() -> new ImportException("another import of " + dataset + " is running in "
                        + order.warehouse() + "; nothing was changed"))) {
            try (var staging = new StagingDatabase(loading.path(), columns, order.memory(), THREADS)) {
                return load(loading, staging);
            }
        } catch (SQLException e) {
            throw new ImportException("the data cannot be written: " + oneLine(e) + "; nothing was changed", e);
        } catch (IOException e) {
            throw new ImportException(
                    "the warehouse " + order.warehouse() + " cannot be written: " + e + "; nothing was changed", e);
        }
    }

    private ImportResult load(ImportFolder loading, StagingDatabase staging)
            throws IOException, SQLException, ImportException {
        String dataset = order.dataset().name();
        Optional<String> before = current(dataset);
        Optional<Path> old = order.append() ? before.map(current -> folder.file(dataset, current)) : Optional.empty();
        var version = new VersionFile(staging, order.dataset(), columns);
        @Nullable LocalDate window = old.isPresent() ? version.window(old.get()) : null;
        var reading =
                new ImportReader(order, columns, new RowCheck(order.dataset(), columns, window, problems), progress);
        List<String> missing = reading.into(staging, problems);
        progress.phase("looking for rows with the same key");
        new DuplicateKeys(staging, columns).check(reading::place, problems);
        if (!problems.none()) {
            return new Refused(problems.count(), problems.lines());
        }
        if (order.dryRun()) {
            return new Checked(staging.rows(), missing);
        }
        progress.phase("sorting and writing " + Text.number(staging.rows()) + " rows");
        Path next = loading.path().resolve("next");
        long rows = version.write(next, old);
        return new Imported(publish(next), staging.rows(), rows, missing, before);
    }

    /** Where nobody knows which version is current, new data that replace it all are as good as ever. */
    private Optional<String> current(String dataset) throws ImportException {
        try {
            return folder.current(dataset);
        } catch (UncheckedIOException e) {
            if (order.append()) {
                throw new ImportException("there is nothing to append to: " + e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Versions of the same second get a number. */
    private String publish(Path next) throws IOException {
        String dataset = order.dataset().name();
        String second = VERSION.format(clock.instant());
        String name = second;
        for (int n = 2; Files.exists(folder.file(dataset, name)); n++) {
            name = second + "-" + n;
        }
        folder.publish(next, dataset, name);
        folder.switchTo(dataset, name);
        return name;
    }

    private static String oneLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
