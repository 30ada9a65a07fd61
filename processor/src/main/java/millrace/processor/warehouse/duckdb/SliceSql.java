package millrace.processor.warehouse.duckdb;

import static millrace.processor.warehouse.PortableSql.cast;
import static millrace.processor.warehouse.PortableSql.in;
import static millrace.processor.warehouse.PortableSql.places;
import static millrace.processor.warehouse.PortableSql.quoted;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.dataset.OrderTerm;
import millrace.catalog.report.ReportLayout.ColumnFilter;
import millrace.processor.warehouse.PortableSql;
import millrace.processor.warehouse.SliceQuery;

/**
 * Builds portable SQL for a slice. Identifiers come from the catalog; everything that a client wrote is a parameter.
 * Each entity has its branch, since engines look up {@code domain = ?} but scan for {@code domain IN (…)}. Numbers of
 * branches and values are rounded up, so that a few prepared statements serve all requests.
 */
final class SliceSql {
    /** The numbers of branches that occur. Above about 40 the cost of an entity grows again. */
    static final int[] BRANCHES = {1, 2, 5, 10, 20, 40};
    /** The numbers of entities that occur in statements of dense slices, besides those of branches. */
    static final int[] LISTS = {100, 200, 500, 1_000, 2_000};

    static final int MOST_BRANCHES = BRANCHES[BRANCHES.length - 1];

    private final String table;
    private final SliceQuery slice;
    private final List<ColumnFilter> filters;

    /** @param table the quoted name for FROM */
    public SliceSql(String table, SliceQuery slice) {
        this.table = table;
        this.slice = slice;
        this.filters = slice.filters();
    }

    /** The smallest number of branches that is enough for the entities. */
    static int branches(int entities) {
        return IntStream.concat(Arrays.stream(BRANCHES), Arrays.stream(LISTS))
                .filter(number -> number >= entities)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("too many entities for one statement: " + entities));
    }

    /**
     * Dense slices use a list: their rows are read from the first to the last entity anyway, and a lookup of each
     * entity would cost more.
     */
    private static boolean isList(int number) {
        return number > BRANCHES[BRANCHES.length - 1];
    }

    private String scan(int places) {
        String entity = slice.dataset().entity().column();
        String inner = "SELECT " + String.join(", ", innerColumns()) + " FROM " + table + " WHERE " + quoted(entity)
                + " BETWEEN ? AND ? AND " + in(entity, places) + " AND " + conditions();
        return "SELECT " + outerColumns() + " FROM (" + inner + ") AS chosen ORDER BY " + order();
    }

    /** The SQL for a number out of {@link #BRANCHES} or {@link #LISTS}. */
    String text(int branches) {
        if (isList(branches)) {
            return scan(branches);
        }
        String branch = "SELECT " + String.join(", ", innerColumns()) + " FROM " + table + " WHERE "
                + quoted(slice.dataset().entity().column()) + " = ? AND " + conditions();
        String union = (branch + " UNION ALL ").repeat(branches - 1) + branch;
        return "SELECT " + outerColumns() + " FROM (" + union + ") AS chosen ORDER BY " + order();
    }

    /** Sets the parameters of that SQL; branches without an entity find nothing. */
    void bind(PreparedStatement statement, List<String> entities, int branches) throws SQLException {
        int at = 1;
        if (isList(branches)) {
            statement.setString(at++, entities.getFirst());
            statement.setString(at++, entities.getLast());
            var list = new ColumnFilter(slice.dataset().entity().column(), ColumnType.TEXT, entities);
            bindConditions(statement, PortableSql.bind(statement, at, list, branches));
            return;
        }
        for (int b = 0; b < branches; b++) {
            statement.setString(at++, b < entities.size() ? entities.get(b) : null);
            at = bindConditions(statement, at);
        }
    }

    private int bindConditions(PreparedStatement statement, int from) throws SQLException {
        int at = from;
        statement.setString(at++, slice.query().dates().granularity().word());
        if (slice.dataset().hasSubdomains()) {
            statement.setBoolean(at++, slice.query().subdomains());
        }
        return bindFilters(statement, at);
    }

    /** Sets the parameters of {@link #filterConditions()}; returns the index of the next parameter. */
    int bindFilters(PreparedStatement statement, int from) throws SQLException {
        int at = from;
        statement.setObject(at++, slice.query().dates().first());
        statement.setObject(at++, slice.query().dates().last());
        for (ColumnFilter filter : filters) {
            at = PortableSql.bind(statement, at, filter, places(filter.values().size()));
        }
        return at;
    }

    private String conditions() {
        var conditions = new ArrayList<String>();
        conditions.add("\"granularity\" = ?");
        if (slice.dataset().hasSubdomains()) {
            conditions.add("\"subdomains\" = ?");
        }
        conditions.add(filterConditions());
        return String.join(" AND ", conditions);
    }

    /** The conditions besides entity, granularity and {@code subdomains}. */
    String filterConditions() {
        var conditions = new ArrayList<String>();
        conditions.add(quoted(KeyColumn.DATE) + " BETWEEN ? AND ?");
        for (ColumnFilter filter : filters) {
            conditions.add(in(filter.column(), places(filter.values().size())));
        }
        return String.join(" AND ", conditions);
    }

    private Set<String> innerColumns() {
        Set<String> columns = new LinkedHashSet<>();
        slice.columns().forEach(column -> columns.add(quoted(column.name())));
        slice.layout().order().forEach(o -> columns.add(quoted(o.column())));
        return columns;
    }

    private String outerColumns() {
        return slice.columns().stream()
                .map(column -> cast("chosen." + quoted(column.name()), column.type()))
                .collect(Collectors.joining(", "));
    }

    private String order() {
        return slice.layout().order().stream().map(SliceSql::term).collect(Collectors.joining(", "));
    }

    private static String term(OrderTerm term) {
        return "chosen." + quoted(term.column()) + (term.descending() ? " DESC" : " ASC") + " NULLS LAST";
    }

    /** The expression that selects a column of the table, or {@code rowid}, cast to its type. */
    String column(String name) {
        return slice.type(name).map(type -> cast(quoted(name), type)).orElse(name);
    }
}
