package millrace.processor.warehouse;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.KeyColumn;
import millrace.contracts.requests.Granularity;
import org.jspecify.annotations.Nullable;

/**
 * Rows of any dataset with values that engines may treat differently: absent, infinite and tiny numbers, ties, texts
 * that need quotes or sort by bytes only. They are unsorted, and the same every time.
 */
public final class EdgeCaseRows {
    public static final List<String> ENTITIES =
            List.of("a-b.example", "a.example", "b.example", "z.example", "é.example");
    public static final List<String> COUNTRIES = List.of("DE", "US", "WW");
    public static final LocalDate FIRST = LocalDate.of(2026, 1, 1);
    /** Sorted by UTF-16 code units, the last two would change places. */
    private static final List<String> TEXTS =
            List.of("_", "a b", "Z", "a,b", "say \"hi\"", "#1", "=1+1", "é", "two\nlines", "日本", "\uFF61", "😀");

    private static final double[] NUMBERS = {
        0,
        -0.0,
        1,
        0.1,
        1e-7,
        1e7,
        12_345_678.9,
        1.5e17,
        -3.25,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        2.0 / 3
    };

    private final Dataset dataset;
    private final Random random = new Random(7);

    public EdgeCaseRows(Dataset dataset) {
        this.dataset = dataset;
    }

    /** The first two periods of each granularity. */
    public static List<LocalDate> periods(Granularity granularity) {
        return switch (granularity) {
            case MONTHLY -> List.of(FIRST, FIRST.plusMonths(1));
            case WEEKLY -> List.of(LocalDate.of(2026, 1, 5), LocalDate.of(2026, 1, 12));
            case DAILY -> List.of(FIRST, FIRST.plusDays(1));
            case SEVEN_DAYS -> List.of(FIRST);
        };
    }

    /** The engine's names of the text and number types; other types have the same names everywhere. */
    public record Words(String text, String number) {}

    public void create(Connection db, String table, Words words) throws SQLException {
        try (Statement statement = db.createStatement()) {
            statement.execute("CREATE TABLE " + table + " ("
                    + columns().stream()
                            .map(c -> "\"" + c.name + "\" " + type(c, words))
                            .collect(Collectors.joining(", "))
                    + ")");
        }
    }

    /** @param batch number of rows sent at a time */
    public void insert(Connection db, String table, int batch) throws SQLException {
        List<List<@Nullable Object>> rows = rows();
        List<Column> columns = columns();
        String places = columns.stream().map(c -> "?").collect(Collectors.joining(", ", "(", ")"));
        for (int from = 0; from < rows.size(); from += batch) {
            List<List<@Nullable Object>> part = rows.subList(from, Math.min(rows.size(), from + batch));
            String values = part.stream().map(r -> places).collect(Collectors.joining(", "));
            try (PreparedStatement insert = db.prepareStatement("INSERT INTO " + table + " VALUES " + values)) {
                int at = 1;
                for (List<@Nullable Object> row : part) {
                    for (int i = 0; i < columns.size(); i++) {
                        set(insert, at++, row.get(i), columns.get(i).type);
                    }
                }
                insert.execute();
            }
        }
    }

    /** A column; a null type is boolean. */
    private record Column(String name, @Nullable ColumnType type) {}

    private List<Column> columns() {
        return Stream.of(
                        dataset.keyColumns().stream().map(k -> new Column(k.name(), k.type())),
                        Stream.of(new Column("granularity", ColumnType.TEXT)),
                        dataset.hasSubdomains() ? Stream.of(new Column("subdomains", null)) : Stream.<Column>empty(),
                        dataset.metrics().stream().map(m -> new Column(m.name(), m.type())))
                .flatMap(s -> s)
                .toList();
    }

    private static String type(Column column, Words words) {
        if (column.type == null) {
            return "BOOLEAN";
        }
        return switch (column.type) {
            case TEXT -> words.text;
            case DATE -> "DATE";
            case INTEGER -> "BIGINT";
            case DOUBLE -> words.number;
        };
    }

    private static void set(PreparedStatement insert, int at, @Nullable Object value, @Nullable ColumnType type)
            throws SQLException {
        switch (value) {
            case null -> insert.setNull(at, sqlType(type));
            case String text -> insert.setString(at, text);
            case Double number -> insert.setDouble(at, number);
            case Long integer -> insert.setLong(at, integer);
            case LocalDate date -> insert.setObject(at, date);
            case Boolean truth -> insert.setBoolean(at, truth);
            default -> throw new IllegalArgumentException("not a cell: " + value);
        }
    }

    private static int sqlType(@Nullable ColumnType type) {
        if (type == null) {
            return Types.BOOLEAN;
        }
        return switch (type) {
            case TEXT -> Types.VARCHAR;
            case DATE -> Types.DATE;
            case INTEGER -> Types.BIGINT;
            case DOUBLE -> Types.DOUBLE;
        };
    }

    private List<List<@Nullable Object>> rows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<Boolean> subdomains = dataset.hasSubdomains() ? List.of(false, true) : List.of(false);
        for (Granularity granularity : dataset.granularities()) {
            for (LocalDate period : periods(granularity)) {
                for (String country : COUNTRIES) {
                    for (String entity : ENTITIES) {
                        subdomains.forEach(s -> add(rows, new Cell(granularity, period, country, entity, s)));
                    }
                }
            }
        }
        Collections.shuffle(rows, random);
        return rows;
    }

    private record Cell(Granularity granularity, LocalDate period, String country, String entity, boolean subdomains) {}

    /** Some of all combinations of the other key columns. */
    private void add(List<List<@Nullable Object>> rows, Cell cell) {
        int count = dataset.keyColumns().size() > 3 ? 6 : 1;
        List<List<Object>> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Object> key =
                    dataset.keyColumns().stream().map(k -> key(k, cell)).toList();
            if (!keys.contains(key)) {
                keys.add(key);
            }
        }
        for (List<Object> key : keys) {
            List<@Nullable Object> row = new ArrayList<>(key);
            row.add(cell.granularity.word());
            if (dataset.hasSubdomains()) {
                row.add(cell.subdomains);
            }
            dataset.metrics().forEach(m -> row.add(metric(m.type())));
            rows.add(row);
        }
    }

    private Object key(KeyColumn key, Cell cell) {
        if (key.name().equals(dataset.entity().column())) {
            return cell.entity;
        }
        if (key.name().equals(KeyColumn.COUNTRY)) {
            return cell.country;
        }
        if (key.name().equals(KeyColumn.DATE)) {
            return cell.period;
        }
        List<String> values = dataset.filters().stream()
                .filter(f -> f.column().equals(key.name()))
                .flatMap(f -> Stream.concat(f.values().stream(), total(f).stream()))
                .toList();
        if (key.type() == ColumnType.INTEGER) {
            return List.of(0L, 2L, 10L).get(random.nextInt(3));
        }
        List<String> choice = values.isEmpty() ? TEXTS : values;
        return choice.get(random.nextInt(choice.size()));
    }

    private static List<String> total(DatasetFilter filter) {
        return filter.total() == null ? List.of() : List.of(filter.total());
    }

    private @Nullable Object metric(ColumnType type) {
        if (random.nextInt(6) == 0) {
            return null;
        }
        return switch (type) {
            case TEXT -> random.nextInt(8) == 0 ? "" : TEXTS.get(random.nextInt(TEXTS.size()));
            case INTEGER -> IntStream.of(0, -1, 7, 100_000).mapToLong(i -> i).toArray()[random.nextInt(4)];
            case DOUBLE -> random.nextInt(3) == 0 ? random.nextDouble() * 1e4 : NUMBERS[random.nextInt(NUMBERS.length)];
            case DATE -> throw new IllegalArgumentException("a metric of type date");
        };
    }
}
