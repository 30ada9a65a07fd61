package millrace.processor.warehouse;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.report.ReportLayout.ColumnFilter;

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
