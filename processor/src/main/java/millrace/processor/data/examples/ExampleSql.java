package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.contracts.requests.Granularity;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the statement that samples rows of a dataset, and reads its result. */
final class ExampleSql {
    private static final int MOST_ROWS = 20_000;
    private static final int FIRST_METRIC = 5;

    /**
     * A sampled row without subdomains.
     *
     * @param metrics names of the metrics that have a value
     */
    record ExampleRow(String entity, String country, Granularity granularity, LocalDate date, Set<String> metrics) {}

    private final Dataset dataset;
    private final List<DatasetMetric> metrics;

    /** @param absent metrics that the table lacks */
    ExampleSql(Dataset dataset, List<String> absent) {
        this.dataset = dataset;
        this.metrics = dataset.metrics().stream()
                .filter(metric -> !absent.contains(metric.name()))
                .toList();
    }

    /** The filters of the query that finds the sampled rows, by key column. */
    Map<String, List<String>> filters() {
        return dataset.filters().stream()
                .filter(f -> f.kind() == DatasetFilter.Kind.CHOICE && f.total() == null)
                .collect(Collectors.toMap(
                        DatasetFilter::column, f -> List.of(f.values().getFirst())));
    }

    /** @param table the quoted name for FROM */
    String text(String table) {
        List<String> columns = new ArrayList<>(List.of(
                text(dataset.entity().column(), "VARCHAR"),
                text(KeyColumn.COUNTRY, "VARCHAR"),
                text("granularity", "VARCHAR"),
                text(KeyColumn.DATE, "DATE")));
        for (DatasetMetric metric : metrics) {
            columns.add("CASE WHEN " + quoted(metric.name()) + " IS NULL THEN 0 ELSE 1 END");
        }
        List<String> conditions = conditions();
        return "SELECT " + String.join(", ", columns) + " FROM " + table
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions)) + " LIMIT " + MOST_ROWS;
    }

    List<ExampleRow> rows(ResultSet found) throws SQLException {
        List<ExampleRow> rows = new ArrayList<>();
        while (found.next()) {
            row(found).ifPresent(rows::add);
        }
        return rows;
    }

    /** Empty where the row cannot be in a report. */
    private Optional<ExampleRow> row(ResultSet row) throws SQLException {
        String entity = row.getString(1);
        String country = row.getString(2);
        String granularity = row.getString(3);
        LocalDate date = row.getObject(4, LocalDate.class);
        if (entity == null || country == null || granularity == null || date == null) {
            return Optional.empty();
        }
        Set<String> valued = new HashSet<>();
        for (int i = 0; i < metrics.size(); i++) {
            if (row.getInt(FIRST_METRIC + i) == 1) {
                valued.add(metrics.get(i).name());
            }
        }
        return Granularity.of(granularity).map(g -> new ExampleRow(entity, country, g, date, valued));
    }

    /** The conditions of a query that has {@link #filters()} and no other filters. */
    private List<String> conditions() {
        Stream<String> subdomains = dataset.hasSubdomains() ? Stream.of("\"subdomains\" = false") : Stream.of();
        Stream<String> filters = dataset.filters().stream().flatMap(filter -> {
            String total = filter.total();
            if (total != null) {
                boolean number = filter.kind() == DatasetFilter.Kind.INTEGER;
                return Stream.of(quoted(filter.column()) + " = " + (number ? total : literal(total)));
            }
            return filter.kind() == DatasetFilter.Kind.CHOICE
                    ? Stream.of(quoted(filter.column()) + " = "
                            + literal(filter.values().getFirst()))
                    : Stream.of();
        });
        return Stream.concat(subdomains, filters).toList();
    }

    private static String text(String column, String type) {
        return "CAST(" + quoted(column) + " AS " + type + ")";
    }

    private static String quoted(String identifier) {
        return "\"" + identifier + "\"";
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
