package millrace.processor.warehouse.jdbc;

import static millrace.processor.warehouse.PortableSql.cast;
import static millrace.processor.warehouse.PortableSql.in;
import static millrace.processor.warehouse.PortableSql.places;
import static millrace.processor.warehouse.PortableSql.quoted;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.dataset.OrderTerm;
import millrace.catalog.report.ReportLayout.ColumnFilter;
import millrace.processor.warehouse.PortableSql;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.SliceQuery.Column;

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
        return slice.columns().stream().map(Column::type).toList();
    }

    String text(int entities) {
        List<String> conditions = new ArrayList<>();
        conditions.add(in(slice.dataset().entity().column(), places(entities)));
        conditions.add("\"granularity\" = ?");
        conditions.add(quoted(KeyColumn.DATE) + " BETWEEN ? AND ?");
        if (slice.dataset().hasSubdomains()) {
            conditions.add("\"subdomains\" = ?");
        }
        filters.forEach(f -> conditions.add(in(f.column(), places(f.values().size()))));
        return "SELECT " + columns() + " FROM " + table + " WHERE " + String.join(" AND ", conditions) + " ORDER BY "
                + order();
    }

    /** Sets the parameters of the SQL for this number of entities. */
    void bind(PreparedStatement statement, List<String> entities) throws SQLException {
        var list = new ColumnFilter(slice.dataset().entity().column(), ColumnType.TEXT, entities);
        int at = PortableSql.bind(statement, 1, list, places(entities.size()));
        statement.setString(at++, slice.query().dates().granularity().word());
        statement.setObject(at++, slice.query().dates().first());
        statement.setObject(at++, slice.query().dates().last());
        if (slice.dataset().hasSubdomains()) {
            statement.setBoolean(at++, slice.query().subdomains());
        }
        for (ColumnFilter filter : filters) {
            at = PortableSql.bind(statement, at, filter, places(filter.values().size()));
        }
    }

    private String columns() {
        return slice.columns().stream().map(JdbcSliceSql::selected).collect(Collectors.joining(", "));
    }

    private String order() {
        return slice.layout().order().stream().map(this::term).collect(Collectors.joining(", "));
    }

    private String term(OrderTerm term) {
        boolean text = slice.type(term.column()).equals(Optional.of(ColumnType.TEXT));
        return quoted(term.column())
                + (text ? engine.bytewise() : "")
                + (term.descending() ? " DESC" : " ASC")
                + " NULLS LAST";
    }

    private static String selected(Column column) {
        // Another name than the column's, so that ORDER BY refers to the table's column, for which there may be an
        // index.
        return cast(quoted(column.name()), column.type()) + " AS " + quoted("out_" + column.name());
    }
}
