package millrace.processor.rendering;

import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import millrace.catalog.dataset.KeyColumn;
import millrace.processor.warehouse.SliceQuery;

/**
 * Applies filters whose lists of values are too long for a statement to the texts of rows before they are written.
 * Values are found by binary search. Unlike a hash table it needs no memory, and no choice of values makes it slow.
 */
final class LongFilters {
    private final List<Values> filters;

    /** @param texts sorted */
    private record Values(int column, List<String> texts) {}

    /** @param text converts a value to its text in the file */
    LongFilters(SliceQuery slice, UnaryOperator<String> text) {
        List<String> keys =
                slice.layout().keyColumns().stream().map(KeyColumn::name).toList();
        this.filters = slice.longFilters().stream()
                .map(filter -> new Values(
                        keys.indexOf(filter.column()),
                        filter.values().stream().map(text).sorted().toList()))
                .toList();
    }

    boolean takes(String[] key) {
        for (Values filter : filters) {
            if (Collections.binarySearch(filter.texts, key[filter.column]) < 0) {
                return false;
            }
        }
        return true;
    }
}
