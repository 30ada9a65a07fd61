package millrace.processor.rendering;

import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import millrace.catalog.dataset.KeyColumn;
import millrace.processor.warehouse.SliceQuery;

/**
 * Filters whose lists of values are too long for a statement, applied to the texts that are about to be written. The values are
 * looked up in order: they come sorted, so that nothing is built for them, and whoever asks cannot make it slow, as it can where
 * they are hashed.
 */
final class LongFilters {
    private final List<Values> filters;

    /** @param texts sorted */
    private record Values(int column, List<String> texts) {}

    /** @param text how a value is written */
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
