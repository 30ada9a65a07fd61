package millrace.processor.data.importing;

import millrace.processor.warehouse.duckdb.DuckDb;
import millrace.processor.warehouse.duckdb.SqlText;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the versions of a warehouse folder; the service may be running. */
final class Inventory {
    /**
     * The periods and row counts of one version of a dataset.
     *
     * @param bytes size of its file
     * @param since when the file was finished
     * @param problem why the version cannot be read, or null
     */
    record VersionSummary(
            String dataset,
            String version,
            boolean current,
            long rows,
            long bytes,
            Instant since,
            List<Periods> periods,
            List<String> countries,
            @Nullable String problem) {

        /**
         * The periods of one granularity.
         *
         * @param first first day of the first period
         * @param last first day of the last period
         * @param count number of periods
         */
        record Periods(String granularity, LocalDate first, LocalDate last, long count, long rows) {}
    }

    private final WarehouseFolder folder;
    private final List<String> damaged = new ArrayList<>();

    Inventory(Path warehouse, InstantSource clock) {
        this.folder = new WarehouseFolder(warehouse, clock);
    }

    /** All versions of these datasets, readable or not. */
    List<VersionSummary> of(List<String> datasets) throws IOException, SQLException {
        List<VersionSummary> all = new ArrayList<>();
        for (String dataset : datasets) {
            String current = current(dataset);
            for (String version : folder.versions(dataset)) {
                all.add(version(dataset, version, version.equals(current)));
            }
        }
        return all;
    }

    /** What is wrong with the files that say which versions are current. */
    List<String> damaged() {
        return List.copyOf(damaged);
    }

    private String current(String dataset) {
        try {
            return folder.current(dataset).orElse("");
        } catch (UncheckedIOException e) {
            damaged.add(String.valueOf(e.getMessage()));
            return "";
        }
    }

    private VersionSummary version(String dataset, String version, boolean current) throws IOException {
        Path file = folder.file(dataset, version);
        long bytes = Files.size(file);
        Instant since = Files.getLastModifiedTime(file).toInstant();
        // Without a folder for temporary files: the warehouse may be read-only.
        try (Connection db = DuckDb.open(2, "256MB", null, Map.of());
                Statement sql = db.createStatement()) {
            sql.execute("ATTACH " + SqlText.path(file) + " AS v (READ_ONLY)");
            String table = "v." + SqlText.name(dataset);
            List<VersionSummary.Periods> periods = periods(sql, table);
            return new VersionSummary(
                    dataset,
                    version,
                    current,
                    periods.stream().mapToLong(VersionSummary.Periods::rows).sum(),
                    bytes,
                    since,
                    periods,
                    countries(sql, table),
                    null);
        } catch (SQLException e) {
            String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            return new VersionSummary(dataset, version, current, 0, bytes, since, List.of(), List.of(), problem);
        }
    }

    private static List<VersionSummary.Periods> periods(Statement sql, String table) throws SQLException {
        List<VersionSummary.Periods> periods = new ArrayList<>();
        try (ResultSet found =
                sql.executeQuery("SELECT granularity, min(date), max(date), count(DISTINCT date), count(*) FROM "
                        + table + " GROUP BY granularity ORDER BY granularity")) {
            while (found.next()) {
                periods.add(new VersionSummary.Periods(
                        found.getString(1),
                        found.getObject(2, LocalDate.class),
                        found.getObject(3, LocalDate.class),
                        found.getLong(4),
                        found.getLong(5)));
            }
        }
        return periods;
    }

    private static List<String> countries(Statement sql, String table) throws SQLException {
        List<String> countries = new ArrayList<>();
        try (ResultSet found = sql.executeQuery("SELECT DISTINCT country FROM " + table + " ORDER BY country")) {
            while (found.next()) {
                countries.add(found.getString(1));
            }
        }
        return countries;
    }
}
