package millrace.processor.rendering.rows;

import java.util.List;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.text.SortedTextSet;
import millrace.processor.rendering.formats.CellText;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import org.jspecify.annotations.Nullable;

/** Applies filters whose lists of values are too long for a statement to rows before they are written. */
final class LongFilters {
    /** As the warehouse has it, whatever the file makes of it. */
    private final CellText texts = new CellText("none");

    private final Filter[] filters;

    private record Filter(int column, ColumnType type, SortedTextSet values) {}

    LongFilters(SliceQuery slice) {
        List<KeyColumn> columns = slice.layout().keyColumns();
        List<String> names = columns.stream().map(KeyColumn::name).toList();
        this.filters = slice.longFilters().entrySet().stream()
                .map(filter -> {
                    int column = names.indexOf(filter.getKey());
                    return new Filter(column, columns.get(column).type(), filter.getValue());
                })
                .toArray(Filter[]::new);
    }

    /** Whether the stream's current row has a value of each filter. */
    boolean takes(RowStream row) {
        for (Filter filter : filters) {
            @Nullable String text = texts.of(row, filter.column, filter.type);
            if (text == null || !filter.values.contains(text)) {
                return false;
            }
        }
        return true;
    }
}
