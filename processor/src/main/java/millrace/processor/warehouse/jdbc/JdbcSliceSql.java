package millrace.processor.warehouse.jdbc;

import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.dataset.OrderTerm;
import millrace.catalog.report.ReportLayout.ColumnFilter;
import millrace.processor.warehouse.SliceQuery;

/**
 * Builds the SQL of a slice for an engine behind JDBC: one statement for many entities, to save round trips. It only
 * selects, filters and sorts. Numbers of values are rounded up to a power of two, so that a few statements serve all
 * requests.
 */
final class JdbcSliceSql {
    private final JdbcEngine engine;
    private final String table;
    private final SliceQuery slice;
    private final List<ColumnFilter> filters;

    /** @param table the quoted name for FROM */
    JdbcSliceSql(JdbcEngine engine, String table, SliceQuery slice) {
        this.engine = engine;
        this.table = table;
        this.slice = slice;
        this.filters = slice.filters();
    }

    /** The types of the selected columns. */
    List<ColumnType> types() {
        return Stream.concat(
                        slice.layout().keyColumns().stream().map(KeyColumn::type),
                        slice.layout().metrics().stream().map(DatasetMetric::type))
                .toList();
    }

    String text(int entities) {
        List<String> conditions = new ArrayList<>();
        conditions.add(in(slice.dataset().entity().column(), entities));
        conditions.add("\"granularity\" = ?");
        conditions.add(quoted(KeyColumn.DATE) + " BETWEEN ? AND ?");
        if (slice.dataset().hasSubdomains()) {
            conditions.add("\"subdomains\" = ?");
        }
        filters.forEach(f -> conditions.add(in(f.column(), f.values().size())));
        return "SELECT " + columns() + " FROM " + table + " WHERE " + String.join(" AND ", conditions) + " ORDER BY "
                + order();
    }

    /** Sets the parameters of the SQL for this number of entities. */
    void bind(PreparedStatement statement, List<String> entities) throws SQLException {
        int at = bind(statement, 1, new ColumnFilter(slice.dataset().entity().column(), ColumnType.TEXT, entities));
        statement.setString(at++, slice.query().dates().granularity().word());
        statement.setDate(at++, Date.valueOf(slice.query().dates().first()));
        statement.setDate(at++, Date.valueOf(slice.query().dates().last()));
        if (slice.dataset().hasSubdomains()) {
            statement.setBoolean(at++, slice.query().subdomains());
        }
        for (ColumnFilter filter : filters) {
            at = bind(statement, at, filter);
        }
    }

    private static int bind(PreparedStatement statement, int from, ColumnFilter filter) throws SQLException {
        int places = places(filter.values().size());
        for (int i = 0; i < places; i++) {
            String value = filter.values().get(Math.min(i, filter.values().size() - 1));
            if (filter.type() == ColumnType.INTEGER) {
                statement.setLong(from + i, Long.parseLong(value));
            } else {
                statement.setString(from + i, value);
            }
        }
        return from + places;
    }

    private static String in(String column, int values) {
        return quoted(column) + " IN (?" + ", ?".repeat(places(values) - 1) + ")";
    }

    /** The next power of two; the last value is repeated. */
    private static int places(int values) {
        return values <= 1 ? 1 : Integer.highestOneBit(values - 1) << 1;
    }

    /**
     * The selected columns, cast so that the reader gets one type of each kind, whatever width the table's columns
     * have.
     */
    private String columns() {
        return Stream.concat(
                        slice.layout().keyColumns().stream().map(k -> cast(k.name(), k.type())),
                        slice.layout().metrics().stream().map(m -> cast(m.name(), m.type())))
                .collect(Collectors.joining(", "));
    }

    private String order() {
        Map<String, ColumnType> types = Stream.concat(
                        slice.dataset().keyColumns().stream().map(k -> Map.entry(k.name(), k.type())),
                        slice.dataset().metrics().stream().map(m -> Map.entry(m.name(), m.type())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Function<OrderTerm, String> term = t -> quoted(t.column())
                + (types.get(t.column()) == ColumnType.TEXT ? engine.bytewise() : "")
                + (t.descending() ? " DESC" : " ASC")
                + " NULLS LAST";
        return slice.layout().order().stream().map(term).collect(Collectors.joining(", "));
    }

    private static String cast(String column, ColumnType type) {
        String sqlType =
                switch (type) {
                    case TEXT -> "VARCHAR";
                    case DATE -> "DATE";
                    case INTEGER -> "BIGINT";
                    case DOUBLE -> "DOUBLE PRECISION";
                };
        // Another name than the column's, so that ORDER BY refers to the table's column, for which there may be an
        // index.
        return "CAST(" + quoted(column) + " AS " + sqlType + ") AS " + quoted("out_" + column);
    }

    private static String quoted(String identifier) {
        return "\"" + identifier + "\"";
    }
}
