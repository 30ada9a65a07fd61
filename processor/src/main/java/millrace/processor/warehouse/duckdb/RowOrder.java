package millrace.processor.warehouse.duckdb;

import java.util.List;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.text.Text;
import millrace.processor.warehouse.SliceQuery;
import org.jspecify.annotations.Nullable;

/** Checks that rows have the order of the report, as {@code ORDER BY} of {@code SliceSql} would sort them. */
final class RowOrder {
    private final Term[] terms;
    private @Nullable String lastEntity;

    private static final class Term {
        private final int column;
        private final ColumnType type;
        private final boolean descending;
        private boolean lastAbsent;
        private String lastText = "";
        private long lastLong;
        private double lastDouble;

        Term(int column, ColumnType type, boolean descending) {
            this.column = column;
            this.type = type;
            this.descending = descending;
        }

        /** Compares the row to the last one; null values are last. */
        int compare(RowCells row) {
            boolean absent = row.isNull(column);
            if (absent || lastAbsent) {
                return Boolean.compare(absent, lastAbsent);
            }
            int compared =
                    switch (type) {
                        case TEXT -> Text.UTF8.compare(row.text(column), lastText);
                        case DATE -> Long.compare(row.date(column).toEpochDay(), lastLong);
                        case INTEGER -> Long.compare(row.integer(column), lastLong);
                        case DOUBLE -> compare(row.number(column), lastDouble);
                    };
            return descending ? -compared : compared;
        }

        void remember(RowCells row) {
            lastAbsent = row.isNull(column);
            if (!lastAbsent) {
                switch (type) {
                    case TEXT -> lastText = row.text(column);
                    case DATE -> lastLong = row.date(column).toEpochDay();
                    case INTEGER -> lastLong = row.integer(column);
                    case DOUBLE -> lastDouble = row.number(column);
                }
            }
        }

        /** Compares as SQL does: the two zeros are equal, NaN is greatest. */
        private static int compare(double a, double b) {
            return a == b ? 0 : Double.compare(a, b);
        }
    }

    /** @param columns names of the rows' columns, without the entity */
    public RowOrder(SliceQuery slice, List<String> columns) {
        this.terms = slice.layout().order().stream()
                .filter(o -> columns.contains(o.column()))
                .map(o -> new Term(
                        columns.indexOf(o.column()), slice.type(o.column()).orElseThrow(), o.descending()))
                .toArray(Term[]::new);
    }

    /** Whether the row may follow the last accepted one. The caller compares entities. */
    boolean follows(String entity, RowCells row) {
        if (entity.equals(lastEntity)) {
            for (Term term : terms) {
                int compared = term.compare(row);
                if (compared < 0) {
                    return false;
                }
                if (compared > 0) {
                    break;
                }
            }
        }
        lastEntity = entity;
        for (Term term : terms) {
            term.remember(row);
        }
        return true;
    }
}
