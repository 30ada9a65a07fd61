package millrace.processor.loading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.catalog.ColumnType;
import millrace.catalog.Dataset;
import millrace.catalog.Filter;
import millrace.catalog.KeyColumn;
import millrace.catalog.Metric;
import org.jspecify.annotations.Nullable;

/**
 * A column of a dataset's table.
 *
 * @param metric null for columns that identify a row
 * @param required whether a file must have it; where it need not, its check says what an empty cell means
 */
record TableColumn(String name, Type type, @Nullable Metric metric, boolean required, CellCheck check) {
    static final String GRANULARITY = "granularity";
    static final String SUBDOMAINS = "subdomains";

    enum Type {
        VARCHAR,
        DATE,
        BIGINT,
        DOUBLE,
        BOOLEAN
    }

    /** Whether it identifies a row, together with the others of which this holds. */
    boolean key() {
        return metric == null;
    }

    /** In the order of the table: key columns, granularity, subdomains, metrics. */
    static List<TableColumn> of(Dataset dataset) {
        List<TableColumn> columns = new ArrayList<>();
        dataset.keyColumns().forEach(key -> columns.add(key(dataset, key)));
        columns.add(granularity(dataset));
        if (dataset.hasSubdomains()) {
            columns.add(
                    new TableColumn(SUBDOMAINS, Type.BOOLEAN, null, false, CellCheck.orElse(false, CellChecks::bool)));
        }
        dataset.metrics().forEach(metric -> columns.add(metric(metric)));
        return List.copyOf(columns);
    }

    private static TableColumn granularity(Dataset dataset) {
        CellCheck check = CellChecks.granularity(dataset.granularities());
        boolean one = dataset.granularities().size() == 1;
        return new TableColumn(
                GRANULARITY,
                Type.VARCHAR,
                null,
                !one,
                CellCheck.remembering(
                        one
                                ? CellCheck.orElse(
                                        dataset.granularities()
                                                .iterator()
                                                .next()
                                                .word(),
                                        check)
                                : CellCheck.required(check)));
    }

    private static TableColumn key(Dataset dataset, KeyColumn key) {
        Optional<String> total = filter(dataset, key).flatMap(f -> Optional.ofNullable(f.total()));
        CellCheck check = total.isPresent()
                ? CellCheck.orElse(value(key.type(), total.get()), keyCheck(dataset, key))
                : CellCheck.required(keyCheck(dataset, key));
        return new TableColumn(key.name(), type(key.type()), null, total.isEmpty(), CellCheck.remembering(check));
    }

    private static CellCheck keyCheck(Dataset dataset, KeyColumn key) {
        if (key.name().equals(dataset.entity().column())) {
            return CellChecks.entity(dataset.entity().kind());
        }
        if (key.name().equals(KeyColumn.COUNTRY)) {
            return CellChecks::country;
        }
        return switch (key.type()) {
            case DATE -> CellChecks::date;
            case INTEGER ->
                filter(dataset, key).isPresent()
                        ? CellChecks.integer(0, Integer.MAX_VALUE)
                        : CellChecks.integer(Long.MIN_VALUE, Long.MAX_VALUE);
            case TEXT -> filter(dataset, key).map(TableColumn::filtered).orElse(CellChecks::text);
            case DOUBLE -> throw new IllegalArgumentException("a key column of type double: " + key.name());
        };
    }

    private static CellCheck filtered(Filter filter) {
        return switch (filter.kind()) {
            case CHOICE ->
                CellChecks.choice(Stream.concat(filter.values().stream(), Stream.ofNullable(filter.total()))
                        .distinct()
                        .toList());
            case KEYWORD -> CellChecks.entity(millrace.catalog.EntityField.Kind.KEYWORD);
            case INTEGER -> CellChecks::text;
        };
    }

    private static Optional<Filter> filter(Dataset dataset, KeyColumn key) {
        return dataset.filters().stream()
                .filter(f -> f.column().equals(key.name()))
                .findFirst();
    }

    private static Object value(ColumnType type, String text) {
        return type == ColumnType.INTEGER ? (Object) Long.valueOf(text) : text;
    }

    private static TableColumn metric(Metric metric) {
        CellCheck check =
                switch (metric.type()) {
                    case TEXT -> CellChecks::text;
                    case INTEGER -> CellChecks.integer(Long.MIN_VALUE, Long.MAX_VALUE);
                    case DOUBLE -> new NumberCheck(metric.unit().equals("fraction"));
                    case DATE -> throw new IllegalArgumentException("a metric of type date: " + metric.name());
                };
        return new TableColumn(metric.name(), type(metric.type()), metric, false, CellCheck.optional(check));
    }

    private static Type type(ColumnType type) {
        return switch (type) {
            case TEXT -> Type.VARCHAR;
            case DATE -> Type.DATE;
            case INTEGER -> Type.BIGINT;
            case DOUBLE -> Type.DOUBLE;
        };
    }
}
