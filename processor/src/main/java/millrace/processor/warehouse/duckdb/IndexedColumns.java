package millrace.processor.warehouse.duckdb;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;

/** The columns of an entity index: those of the catalog that the table has, without the entity. */
record IndexedColumns(List<Column> all) {
    /** A column as the catalog declares it. */
    record Column(String name, ColumnType type) {}

    /** @param present the names of the table's columns */
    public static IndexedColumns of(Dataset dataset, Set<String> present) {
        Stream<Column> keys = dataset.keyColumns().stream()
                .filter(k -> !k.name().equals(dataset.entity().column()))
                .map(IndexedColumns::column);
        Stream<Column> metrics = dataset.metrics().stream().map(IndexedColumns::column);
        return new IndexedColumns(Stream.concat(keys, metrics)
                .filter(column -> present.contains(column.name))
                .toList());
    }

    private static Column column(KeyColumn key) {
        return new Column(key.name(), key.type());
    }

    private static Column column(DatasetMetric metric) {
        return new Column(metric.name(), metric.type());
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
