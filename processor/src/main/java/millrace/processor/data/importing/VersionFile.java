package millrace.processor.data.importing;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.dataset.OrderTerm;
import millrace.contracts.requests.Granularity;
import millrace.processor.warehouse.duckdb.SqlText;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the sorted table of a new version from the staged rows and, where rows are appended, those of the current
 * version.
 */
final class VersionFile {
    private static final String NEXT = "next";
    private static final String OLD = "old";

    private final StagingDatabase staging;
    private final Dataset dataset;
    private final List<TableColumn> columns;

    public VersionFile(StagingDatabase staging, Dataset dataset, List<TableColumn> columns) {
        this.staging = staging;
        this.dataset = dataset;
        this.columns = columns;
    }

    /** The first day of any 7-day window in a version; null where it has none. */
    @Nullable
    public LocalDate window(Path old) throws SQLException {
        staging.execute("ATTACH " + SqlText.path(old) + " AS " + OLD + " (READ_ONLY)");
        try (Statement statement = staging.statement();
                ResultSet found = statement.executeQuery("SELECT min(" + KeyColumn.DATE + ") FROM " + OLD + "."
                        + SqlText.name(dataset.name()) + " WHERE " + TableColumn.GRANULARITY + " = "
                        + SqlText.text(Granularity.SEVEN_DAYS.word()))) {
            return found.next() ? found.getObject(1, LocalDate.class) : null;
        } finally {
            staging.execute("DETACH " + OLD);
        }
    }

    /**
     * @param old a version whose rows are kept where no staged row has their key
     * @return the number of rows
     */
    public long write(Path file, Optional<Path> old) throws SQLException {
        String table = NEXT + "." + SqlText.name(dataset.name());
        String rows = "SELECT " + names() + " FROM " + StagingDatabase.ROWS;
        if (old.isPresent()) {
            staging.execute("ATTACH " + SqlText.path(old.get()) + " AS " + OLD + " (READ_ONLY)");
            rows += " UNION ALL " + kept();
        }
        staging.execute("ATTACH " + SqlText.path(file) + " AS " + NEXT);
        staging.execute("CREATE TABLE " + table + " (" + StagingDatabase.declared(columns) + ")");
        staging.execute("INSERT INTO " + table + " SELECT * FROM (" + rows + ") AS r ORDER BY " + order());
        staging.execute("CHECKPOINT " + NEXT);
        long count = staging.number("SELECT count(*) FROM " + table);
        staging.execute("DETACH " + NEXT);
        if (old.isPresent()) {
            staging.execute("DETACH " + OLD);
        }
        return count;
    }

    /** Selects the kept rows of the old version; a column that it lacks is null. */
    private String kept() throws SQLException {
        Set<String> there = new HashSet<>();
        try (Statement statement = staging.statement();
                ResultSet found =
                        statement.executeQuery("SELECT column_name FROM duckdb_columns() WHERE database_name = "
                                + SqlText.text(OLD) + " AND table_name = " + SqlText.text(dataset.name()))) {
            while (found.next()) {
                there.add(found.getString(1));
            }
        }
        String chosen = columns.stream()
                .map(c -> there.contains(c.name()) ? "o." + SqlText.name(c.name()) : "CAST(NULL AS " + c.type() + ")")
                .collect(Collectors.joining(", "));
        String same = columns.stream()
                .filter(TableColumn::key)
                .map(c -> "s." + SqlText.name(c.name()) + " = o." + SqlText.name(c.name()))
                .collect(Collectors.joining(" AND "));
        return "SELECT " + chosen + " FROM " + OLD + "." + SqlText.name(dataset.name())
                + " AS o WHERE NOT EXISTS (SELECT 1 FROM " + StagingDatabase.ROWS + " AS s WHERE " + same + ")";
    }

    /** The sort order: by entity, so that its rows are neighbours, and then as requests read them. */
    private String order() {
        List<String> terms = new ArrayList<>();
        String entity = dataset.entity().column();
        terms.add(SqlText.name(entity));
        terms.add(TableColumn.GRANULARITY);
        if (dataset.hasSubdomains()) {
            terms.add(TableColumn.SUBDOMAINS);
        }
        for (OrderTerm term : dataset.rowOrder()) {
            if (!term.column().equals(entity)) {
                terms.add(SqlText.name(term.column()) + (term.descending() ? " DESC" : "") + " NULLS LAST");
            }
        }
        return String.join(", ", terms);
    }

    private String names() {
        return columns.stream().map(c -> SqlText.name(c.name())).collect(Collectors.joining(", "));
    }
}
