package millrace.processor.warehouse;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.report.ReportLayout.ColumnFilter;
import millrace.catalog.text.Text;

/**
 * The parts of SQL that all engines understand. Lists of values have a few lengths only, so that a few prepared
 * statements serve all requests; the last value is repeated.
 */
public final class PortableSql {
    private PortableSql() {}

    public static String quoted(String identifier) {
        return "\"" + identifier + "\"";
    }

    /** Casts a column, so that the reader gets one type of each kind, whatever width the table's columns have. */
    public static String cast(String column, ColumnType type) {
        String sqlType =
                switch (type) {
                    case TEXT -> "VARCHAR";
                    case DATE -> "DATE";
                    case INTEGER -> "BIGINT";
                    case DOUBLE -> "DOUBLE PRECISION";
                };
        return "CAST(" + column + " AS " + sqlType + ")";
    }

    /**
     * The FROM of a table that lacks these metrics, with which they are null in every row.
     *
     * @param table the quoted name for FROM
     * @param columns the columns of {@code stored} to keep
     */
    public static String completed(String table, String columns, List<DatasetMetric> absent) {
        String nulls = absent.stream()
                .map(m -> cast("NULL", m.type()) + " AS " + quoted(m.name()))
                .collect(Collectors.joining(", "));
        return absent.isEmpty()
                ? table
                : "(SELECT " + columns + ", " + nulls + " FROM " + table + " AS stored) AS completed";
    }

    /** Selects no rows, for the names of the columns. */
    public static String noRows(String table) {
        return "SELECT * FROM " + table + " WHERE 1 = 0";
    }

    /** The names of the columns of a result, in lower case, as in the catalog. */
    public static Set<String> columns(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        Set<String> names = new HashSet<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            names.add(Text.lower(columns.getColumnName(i)));
        }
        return names;
    }

    /** The number of parameters for this number of values: the next power of two. */
    public static int places(int values) {
        return values <= 1 ? 1 : Integer.highestOneBit(values - 1) << 1;
    }

    /** The condition that a column has one of the values that {@link #bind} sets. */
    public static String in(String column, int places) {
        return quoted(column) + (places == 1 ? " = ?" : " IN (?" + ", ?".repeat(places - 1) + ")");
    }

    /** Sets the parameters of {@link #in}; returns the index of the next parameter. */
    public static int bind(PreparedStatement statement, int from, ColumnFilter filter, int places) throws SQLException {
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
}
