package millrace.processor.warehouse.duckdb;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import millrace.processor.warehouse.SliceQuery;

/**
 * The columns to read where the entity is known: those that are written, filtered or ordered by, without the entity.
 */
final class SliceColumns {
    private final List<String> names;
    private final int[] places;

    private SliceColumns(List<String> names, int[] places) {
        this.names = names;
        this.places = places;
    }

    /** @param first columns to read before all others */
    public static SliceColumns of(SliceQuery slice, String... first) {
        String entity = slice.dataset().entity().column();
        Set<String> columns = new LinkedHashSet<>(List.of(first));
        columns.addAll(slice.layout().header());
        slice.filters().forEach(f -> columns.add(f.column()));
        slice.layout().order().forEach(o -> columns.add(o.column()));
        columns.remove(entity);
        List<String> names = List.copyOf(columns);
        int[] places = slice.layout().header().stream()
                .mapToInt(name -> name.equals(entity) ? -1 : names.indexOf(name))
                .toArray();
        return new SliceColumns(names, places);
    }

    /** Names of the columns in the order in which they are read. */
    public List<String> names() {
        return names;
    }

    /** For each column of the report its index here; -1 for the entity. */
    public int[] places() {
        return places.clone();
    }
}
