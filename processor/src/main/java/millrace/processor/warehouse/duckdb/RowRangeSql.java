package millrace.processor.warehouse.duckdb;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Builds DuckDB's SQL for rows by their ids. */
final class RowRangeSql {
    static final String ROW_ID = "rowid";

    private final String table;
    private final List<String> columns;
    private final SliceSql slice;

    /** @param columns the selected columns, {@link #ROW_ID} first */
    RowRangeSql(String table, List<String> columns, SliceSql slice) {
        this.table = table;
        this.columns = columns;
        this.slice = slice;
    }

    int width() {
        return columns.size();
    }

    /** @param filtered whether the engine applies the filters of the slice */
    String text(int branches, boolean filtered) {
        String branch = "SELECT "
                + columns.stream().map(slice::column).collect(Collectors.joining(", "))
                + " FROM " + table + " WHERE rowid BETWEEN ? AND ?"
                + (filtered ? " AND " + slice.filterConditions() : "");
        return (branch + " UNION ALL ").repeat(branches - 1) + branch;
    }

    /** Sets the parameters; branches without a range find nothing. */
    void bind(PreparedStatement statement, List<EntityRowRanges.Range> ranges, int branches, boolean filtered)
            throws SQLException {
        int at = 1;
        for (int b = 0; b < branches; b++) {
            boolean used = b < ranges.size();
            statement.setLong(at++, used ? ranges.get(b).first() : 0);
            statement.setLong(at++, used ? ranges.get(b).last() : -1);
            if (filtered) {
                at = slice.bindFilters(statement, at);
            }
        }
    }
}
