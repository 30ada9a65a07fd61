package millrace.processor.rendering;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import millrace.catalog.KeyColumn;
import millrace.processor.warehouse.SliceQuery;

/** Filters whose lists of values are too long for a statement, applied to the texts that are about to be written. */
final class KeyFilter {
    private final List<Values> filters;

    private record Values(int column, Set<String> texts) {}

    /** @param text how a value is written */
    KeyFilter(SliceQuery slice, UnaryOperator<String> text) {
        List<String> keys =
                slice.layout().keyColumns().stream().map(KeyColumn::name).toList();
        this.filters = slice.longFilters().stream()
                .map(filter -> new Values(
                        keys.indexOf(filter.column()),
                        filter.values().stream().map(text).collect(Collectors.toUnmodifiableSet())))
                .toList();
    }

    boolean takes(String[] key) {
        for (Values filter : filters) {
            if (!filter.texts.contains(key[filter.column])) {
                return false;
            }
        }
        return true;
    }
}
