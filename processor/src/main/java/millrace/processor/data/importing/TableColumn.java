package millrace.processor.data.importing;

import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.dataset.ValueRange;
import millrace.contracts.requests.Granularity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A column of a dataset's table.
 *
 * @param metric null for columns that identify a row
 * @param needed {@code yes}, or {@code no} and maybe the meaning of a missing column, for help texts
 * @param accepted the accepted values, for help texts
 */
record TableColumn(
        String name, Type type, @Nullable DatasetMetric metric, String needed, String accepted, CellCheck check) {
    public static final String GRANULARITY = "granularity";
    public static final String SUBDOMAINS = "subdomains";

    enum Type {
        VARCHAR,
        DATE,
        BIGINT,
        DOUBLE,
        BOOLEAN
    }

    /** Whether a file must have the column. Where it need not, its check gives the meaning of an empty cell. */
    boolean required() {
        return needed.equals("yes");
    }

    /** Whether the column is part of the key that identifies a row. */
    public boolean key() {
        return metric == null;
    }

    /** The columns in the order of the table: key columns, granularity, subdomains, metrics. */
    public static List<TableColumn> of(Dataset dataset) {
        List<TableColumn> columns = new ArrayList<>();
        dataset.keyColumns().forEach(key -> columns.add(key(dataset, key)));
        columns.add(granularity(dataset));
        if (dataset.hasSubdomains()) {
            columns.add(key(SUBDOMAINS, Type.BOOLEAN, Optional.of(false), CellKind.BOOLEAN));
        }
        dataset.metrics().forEach(metric -> columns.add(metric(metric)));
        return List.copyOf(columns);
    }

    private static TableColumn granularity(Dataset dataset) {
        List<String> words =
                dataset.granularities().stream().map(Granularity::word).toList();
        Optional<Object> one = words.size() == 1 ? Optional.of(words.getFirst()) : Optional.empty();
        return key(GRANULARITY, Type.VARCHAR, one, CellKind.choice(words));
    }

    private static TableColumn key(Dataset dataset, KeyColumn key) {
        Optional<Object> total = filter(dataset, key)
                .flatMap(f -> Optional.ofNullable(f.total()))
                .map(t -> value(key.type(), t));
        return key(key.name(), type(key.type()), total, kind(dataset, key));
    }

    /** @param byDefault the value of an empty cell or missing column, where these are allowed */
    private static TableColumn key(String name, Type type, Optional<Object> byDefault, CellKind kind) {
        CellCheck check = byDefault
                .map(value -> CellCheck.orElse(value, kind.check()))
                .orElseGet(() -> CellCheck.required(kind.check()));
        String needed = byDefault.map(value -> "no, means " + value).orElse("yes");
        return new TableColumn(name, type, null, needed, kind.words(), CellCheck.remembering(check));
    }

    private static CellKind kind(Dataset dataset, KeyColumn key) {
        Optional<DatasetFilter> filter = filter(dataset, key);
        if (key.name().equals(dataset.entity().column())) {
            return CellKind.entity(dataset.entity().kind());
        }
        if (key.name().equals(KeyColumn.COUNTRY)) {
            return CellKind.COUNTRY;
        }
        return switch (key.type()) {
            case DATE -> CellKind.DATE;
            case INTEGER -> filter.isPresent() ? CellKind.NATURAL : CellKind.INTEGER;
            case TEXT -> filter.map(TableColumn::filtered).orElse(CellKind.TEXT);
            case DOUBLE -> throw new IllegalArgumentException("a key column of type double: " + key.name());
        };
    }

    private static CellKind filtered(DatasetFilter filter) {
        return switch (filter.kind()) {
            case CHOICE ->
                CellKind.choice(Stream.concat(filter.values().stream(), Stream.ofNullable(filter.total()))
                        .distinct()
                        .toList());
            case KEYWORD -> CellKind.entity(EntityField.Kind.KEYWORD);
            case INTEGER -> CellKind.TEXT;
        };
    }

    private static Optional<DatasetFilter> filter(Dataset dataset, KeyColumn key) {
        return dataset.filters().stream()
                .filter(f -> f.column().equals(key.name()))
                .findFirst();
    }

    private static Object value(ColumnType type, String text) {
        return type == ColumnType.INTEGER ? (Object) Long.valueOf(text) : text;
    }

    private static TableColumn metric(DatasetMetric metric) {
        CellKind figures =
                switch (metric.type()) {
                    case TEXT -> CellKind.TEXT;
                    case INTEGER -> CellKind.INTEGER;
                    case DOUBLE -> CellKind.NUMBER;
                    case DATE -> throw new IllegalArgumentException("a metric of type date: " + metric.name());
                };
        ValueRange range = metric.range();
        CellKind kind = range == null ? figures : CellKind.within(range, metric.unit(), figures);
        String words = kind.words() + " (" + metric.unit() + ")";
        return new TableColumn(
                metric.name(), type(metric.type()), metric, "no", words, CellCheck.optional(kind.check()));
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
