package millrace.processor.warehouse.duckdb;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.SliceQuery.Column;

/** The columns of an entity index: those of the catalog that the table has, without the entity. */
record IndexedColumns(List<Column> all) {
    /** @param present the names of the table's columns */
    public static IndexedColumns of(Dataset dataset, Set<String> present) {
        return new IndexedColumns(SliceQuery.columns(dataset).stream()
                .filter(column -> !column.name().equals(dataset.entity().column()))
                .filter(column -> present.contains(column.name()))
                .toList());
    }

    List<ColumnType> types() {
        return all.stream().map(Column::type).toList();
    }

    boolean contain(List<String> names) {
        return all.stream().map(Column::name).toList().containsAll(names);
    }

    /** The indexes of these columns. */
    int[] numbers(List<String> names) {
        return names.stream()
                .mapToInt(name -> IntStream.range(0, all.size())
                        .filter(i -> all.get(i).name().equals(name))
                        .findFirst()
                        .orElseThrow())
                .toArray();
    }
}
