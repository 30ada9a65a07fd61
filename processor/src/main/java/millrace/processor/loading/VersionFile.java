package millrace.processor.loading;

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
import millrace.catalog.Dataset;
import millrace.catalog.KeyColumn;
import millrace.catalog.OrderTerm;
import millrace.contracts.Granularity;
import org.jspecify.annotations.Nullable;

/** Writes the sorted table of a new version, from the staged rows and, where they are added, from those that are there. */
final class VersionFile {
    private static final String NEXT = "next";
    private static final String OLD = "old";

    private final Staging staging;
    private final Dataset dataset;
    private final List<TableColumn> columns;

    VersionFile(Staging staging, Dataset dataset, List<TableColumn> columns) {
        this.staging = staging;
        this.dataset = dataset;
        this.columns = columns;
    }

    /** The first day of any window of seven days in a version; null where it has none. */
    @Nullable
    LocalDate window(Path old) throws SQLException {
        staging.execute("ATTACH " + Sql.text(old.toString()) + " AS " + OLD + " (READ_ONLY)");
        try (Statement statement = staging.statement();
                ResultSet found = statement.executeQuery("SELECT min(" + KeyColumn.DATE + ") FROM " + OLD + "."
                        + Sql.name(dataset.name()) + " WHERE " + TableColumn.GRANULARITY + " = "
                        + Sql.text(Granularity.SEVEN_DAYS.word()))) {
            return found.next() ? found.getObject(1, LocalDate.class) : null;
        } finally {
            staging.execute("DETACH " + OLD);
        }
    }

    /**
     * @param old a version whose rows stay where no staged row has their key
     * @return the number of rows
     */
    long write(Path file, Optional<Path> old) throws SQLException {
        String table = NEXT + "." + Sql.name(dataset.name());
        String rows = "SELECT " + names() + " FROM " + Staging.ROWS;
        if (old.isPresent()) {
            staging.execute("ATTACH " + Sql.text(old.get().toString()) + " AS " + OLD + " (READ_ONLY)");
            rows += " UNION ALL " + kept();
        }
        staging.execute("ATTACH " + Sql.text(file.toString()) + " AS " + NEXT);
        staging.execute("CREATE TABLE " + table + " (" + Staging.declared(columns) + ")");
        staging.execute("INSERT INTO " + table + " SELECT * FROM (" + rows + ") AS r ORDER BY " + order());
        staging.execute("CHECKPOINT " + NEXT);
        long count = staging.number("SELECT count(*) FROM " + table);
        staging.execute("DETACH " + NEXT);
        if (old.isPresent()) {
            staging.execute("DETACH " + OLD);
        }
        return count;
    }

    /** Rows of the old version that stay; a column that it lacks is empty. */
    private String kept() throws SQLException {
        Set<String> there = new HashSet<>();
        try (Statement statement = staging.statement();
                ResultSet found =
                        statement.executeQuery("SELECT column_name FROM duckdb_columns() WHERE database_name = "
                                + Sql.text(OLD) + " AND table_name = " + Sql.text(dataset.name()))) {
            while (found.next()) {
                there.add(found.getString(1));
            }
        }
        String chosen = columns.stream()
                .map(c -> there.contains(c.name()) ? "o." + Sql.name(c.name()) : "CAST(NULL AS " + c.type() + ")")
                .collect(Collectors.joining(", "));
        String same = columns.stream()
                .filter(TableColumn::key)
                .map(c -> "s." + Sql.name(c.name()) + " = o." + Sql.name(c.name()))
                .collect(Collectors.joining(" AND "));
        return "SELECT " + chosen + " FROM " + OLD + "." + Sql.name(dataset.name())
                + " AS o WHERE NOT EXISTS (SELECT 1 FROM " + Staging.ROWS + " AS s WHERE " + same + ")";
    }

    /** One entity's rows lie together, and in there those that a request reads together. */
    private String order() {
        List<String> terms = new ArrayList<>();
        String entity = dataset.entity().column();
        terms.add(Sql.name(entity));
        terms.add(TableColumn.GRANULARITY);
        if (dataset.hasSubdomains()) {
            terms.add(TableColumn.SUBDOMAINS);
        }
        for (OrderTerm term : dataset.rowOrder()) {
            if (!term.column().equals(entity)) {
                terms.add(Sql.name(term.column()) + (term.descending() ? " DESC" : "") + " NULLS LAST");
            }
        }
        return String.join(", ", terms);
    }

    private String names() {
        return columns.stream().map(c -> Sql.name(c.name())).collect(Collectors.joining(", "));
    }
}
