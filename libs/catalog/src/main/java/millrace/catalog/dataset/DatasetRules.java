package millrace.catalog.dataset;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import millrace.catalog.text.Text;
import millrace.contracts.accounts.PriceRule;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules between the parts of a dataset. A violation is an IllegalArgumentException
 * {@code field: problem}.
 */
final class DatasetRules {
    /** Columns that every table of the warehouse has in addition to its own. */
    private static final Set<String> TABLE_COLUMNS = Set.of("granularity", "subdomains");

    private DatasetRules() {}

    record Names(
            String dataset, EntityField entity, @Nullable String defaultCountry) {}

    record Rows(@Nullable Integer max, PriceRule price) {}

    static void check(
            Names names,
            List<KeyColumn> keys,
            List<DatasetFilter> filters,
            List<DatasetMetric> metrics,
            List<OrderTerm> order,
            Rows rows) {
        Text.identifier("name", names.dataset());
        require(!metrics.isEmpty(), "metrics: at least one is needed");
        require(
                names.defaultCountry() == null || names.defaultCountry().matches("[A-Z]{2}"),
                "default_country: is not two upper-case letters");
        columns(names.entity(), keys, metrics);
        fields(names.entity(), filters);
        for (DatasetFilter filter : filters) {
            filter(filter, names.entity(), keys, filters);
        }
        rows(names.entity(), keys, filters, metrics, rows);
        metrics.forEach(metric -> without(metric, filters));
        for (OrderTerm term : order) {
            require(
                    key(keys, term.column()) != null
                            || metrics.stream().anyMatch(m -> m.name().equals(term.column())),
                    "row_order: " + Text.quoted(term.column()) + " is neither a key column nor a metric");
        }
        for (KeyColumn key : keys) {
            require(
                    order.stream().anyMatch(t -> t.column().equals(key.name())),
                    "row_order: key column " + key.name() + " is missing, so the order would not be complete");
        }
    }

    /** Whether there is a key column whose values neither the request nor a filter determines. */
    static boolean hasOpenColumns(EntityField entity, List<KeyColumn> keys, List<DatasetFilter> filters) {
        for (KeyColumn key : keys) {
            String column = key.name();
            if (!column.equals(entity.column())
                    && !column.equals(KeyColumn.COUNTRY)
                    && !column.equals(KeyColumn.DATE)
                    && filters.stream().noneMatch(f -> f.column().equals(column))) {
                return true;
            }
        }
        return false;
    }

    private static void columns(EntityField entity, List<KeyColumn> keys, List<DatasetMetric> metrics) {
        Set<String> seen = new HashSet<>();
        keys.forEach(k -> column(seen, k.name(), "key_columns"));
        metrics.forEach(m -> column(seen, m.name(), "metrics"));
        keyOfType(keys, entity.column(), ColumnType.TEXT, "entity");
        keyOfType(keys, KeyColumn.COUNTRY, ColumnType.TEXT, "key_columns");
        keyOfType(keys, KeyColumn.DATE, ColumnType.DATE, "key_columns");
    }

    private static void column(Set<String> seen, String name, String where) {
        require(!TABLE_COLUMNS.contains(name), where + ": column " + name + " is reserved");
        require(seen.add(name), where + ": column " + name + " is declared twice");
    }

    private static void fields(EntityField entity, List<DatasetFilter> filters) {
        Set<String> seen = new HashSet<>(RequestFields.COMMON);
        require(seen.add(entity.field()), "entity: field " + entity.field() + " is a field of every request");
        for (DatasetFilter filter : filters) {
            for (String spelling : filter.spellings()) {
                require(seen.add(spelling), "filters: field " + spelling + " is declared twice");
            }
        }
    }

    private static void filter(
            DatasetFilter filter, EntityField entity, List<KeyColumn> keys, List<DatasetFilter> filters) {
        String where = "filters." + filter.field();
        ColumnType type = filter.kind() == DatasetFilter.Kind.INTEGER ? ColumnType.INTEGER : ColumnType.TEXT;
        keyOfType(keys, filter.column(), type, where);
        require(
                !Set.of(entity.column(), KeyColumn.COUNTRY).contains(filter.column()),
                where + ": column " + filter.column() + " already has a field");
        require(
                filters.stream().filter(f -> f.column().equals(filter.column())).count() == 1,
                where + ": column " + filter.column() + " has two filters");
    }

    private static void without(DatasetMetric metric, List<DatasetFilter> filters) {
        for (String field : metric.without()) {
            require(
                    filters.stream().anyMatch(f -> f.field().equals(field) && f.total() != null),
                    "metrics.without: " + Text.quoted(field) + " of " + metric.name()
                            + " is not the field of a filter that has a total");
        }
    }

    private static void rows(
            EntityField entity,
            List<KeyColumn> keys,
            List<DatasetFilter> filters,
            List<DatasetMetric> metrics,
            Rows rows) {
        require(rows.max() == null || rows.max() >= 1, "max_rows: must be at least 1");
        boolean open =
                hasOpenColumns(entity, keys, filters) || filters.stream().anyMatch(DatasetFilter::openWhenUnnamed);
        require(!open || rows.max() != null, "max_rows: is needed, since the number of rows per entity is open");
        List<String> revealed = metrics.stream()
                .flatMap(m -> Stream.ofNullable(m.reveals()))
                .distinct()
                .toList();
        require(revealed.size() <= 1, "metrics: all that reveal a domain must name the same key column");
        require(
                !rows.price().countsRevealed() || !revealed.isEmpty(),
                "price_rule: counts revealed domains, but no metric reveals one");
        revealed.forEach(column -> keyOfType(keys, column, ColumnType.TEXT, "metrics.reveals"));
    }

    private static void keyOfType(List<KeyColumn> keys, String name, ColumnType type, String where) {
        KeyColumn key = key(keys, name);
        require(key != null, where + ": there is no key column " + Text.quoted(name));
        require(
                key == null || key.type() == type,
                where + ": key column " + name + " must be of type " + Text.lower(type.name()));
    }

    private static @Nullable KeyColumn key(List<KeyColumn> keys, String name) {
        return keys.stream().filter(k -> k.name().equals(name)).findFirst().orElse(null);
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw new IllegalArgumentException(problem);
        }
    }
}
