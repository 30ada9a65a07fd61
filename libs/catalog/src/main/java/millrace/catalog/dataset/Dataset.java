package millrace.catalog.dataset;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import org.jspecify.annotations.Nullable;

/**
 * A dataset as its YAML file declares it, with everything that validation, description, estimate,
 * SQL and file layout need.
 *
 * @param name also the name of the file, of the path segment and of the warehouse's table
 * @param entity what requests ask about
 * @param keyColumns in the order of the file
 * @param filters request fields that narrow key columns; may be empty
 * @param metrics at least one
 * @param priceRule the price of results in credits
 * @param maxRows most rows per entity, country and period where the catalog does not know their
 *     number; null where it always does
 * @param rowOrder by the key columns ascending where the file does not declare it
 * @param defaultCountry the country of a request that names none; null where it must name one
 */
public record Dataset(
        String name,
        String description,
        EntityField entity,
        List<KeyColumn> keyColumns,
        @Nullable List<DatasetFilter> filters,
        List<DatasetMetric> metrics,
        PriceRule priceRule,
        @Nullable Integer maxRows,
        @Nullable List<OrderTerm> rowOrder,
        @Nullable String defaultCountry) {

    public Dataset {
        keyColumns = List.copyOf(keyColumns);
        filters = filters == null ? List.of() : List.copyOf(filters);
        metrics = List.copyOf(metrics);
        rowOrder = rowOrder == null
                ? keyColumns.stream().map(k -> new OrderTerm(k.name(), false)).toList()
                : List.copyOf(rowOrder);
        DatasetRules.check(
                new DatasetRules.Names(name, entity, defaultCountry),
                keyColumns,
                filters,
                metrics,
                rowOrder,
                new DatasetRules.Rows(maxRows, priceRule));
    }

    @Override
    public List<DatasetFilter> filters() {
        return filters == null ? List.of() : filters;
    }

    @Override
    public List<OrderTerm> rowOrder() {
        return rowOrder == null ? List.of() : rowOrder;
    }

    public Optional<DatasetMetric> metric(String metricName) {
        for (DatasetMetric metric : metrics) {
            if (metric.name().equals(metricName)) {
                return Optional.of(metric);
            }
        }
        return Optional.empty();
    }

    /** The declared metrics that a query names, in the query's order. */
    public List<DatasetMetric> metrics(ReportQuery query) {
        return query.metrics().stream().map(m -> metric(m).orElseThrow()).toList();
    }

    /** The granularities of all metrics. */
    public Set<Granularity> granularities() {
        Set<Granularity> all = EnumSet.noneOf(Granularity.class);
        metrics.forEach(m -> all.addAll(m.granularities()));
        return all;
    }

    /** The key column that overlap metrics reveal; empty where there are no such metrics. */
    public Optional<String> revealedColumn() {
        return metrics.stream().flatMap(m -> Stream.ofNullable(m.reveals())).findFirst();
    }

    /**
     * Whether the table has rows with and without subdomains (column {@code subdomains}), as those
     * of domains have.
     */
    public boolean hasSubdomains() {
        return entity.kind() == EntityField.Kind.DOMAIN;
    }

    /**
     * Whether the query's report pays for revealed domains: the price rule counts them and the
     * query names an overlap metric.
     */
    public boolean countsRevealed(ReportQuery query) {
        return priceRule.countsRevealed() && metrics(query).stream().anyMatch(DatasetMetric::overlap);
    }

    /**
     * Whether only {@code maxRows} bounds the rows of one entity, country and period of the query.
     */
    public boolean openRows(ReportQuery query) {
        return DatasetRules.hasOpenColumns(entity, keyColumns, filters())
                || filters().stream()
                        .anyMatch(f -> f.openWhenUnnamed() && !query.filters().containsKey(f.column()));
    }
}
