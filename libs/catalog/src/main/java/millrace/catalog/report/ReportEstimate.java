package millrace.catalog.report;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.requests.ReportQuery;

/**
 * Estimates the most that a report can cost: entities × countries × periods × rows × metrics,
 * priced by the dataset's rule, with at most {@code limit} rows where the query has a limit.
 */
public final class ReportEstimate {
    /** Estimates stop growing here, far below an overflow. A request that reaches it is refused. */
    public static final long MAX_ROWS = 1_000_000_000_000_000L;

    private ReportEstimate() {}

    /**
     * Never below the price of any result of the query. Never throws: rows, and with them the
     * credits, stop growing at {@link #MAX_ROWS}. The quote's rule counts revealed domains only
     * where the query names an overlap metric.
     */
    public static Quote quote(Dataset dataset, ReportQuery query) {
        return quote(dataset, query, query.entityCount());
    }

    /**
     * The same where only so many of the entities have rows.
     *
     * @param entities 0 to all of the query
     */
    public static Quote quote(Dataset dataset, ReportQuery query, int entities) {
        long rows = times(entities, rowsOfEntity(dataset, query));
        Integer limit = query.limit();
        if (limit != null) {
            rows = Math.min(rows, limit);
        }
        PriceRule rule = dataset.priceRule().countingRevealed(dataset.countsRevealed(query));
        long results = times(rows, query.metrics().size());
        return new Quote(rule.price(new ResultCounts(rows, results, rule.countsRevealed() ? rows : 0)), rows, rule);
    }

    /** Most rows of an entity, in all countries and periods of the query. */
    static long rowsOfEntity(Dataset dataset, ReportQuery query) {
        return times(query.countries().size(), times(Periods.count(query.dates()), rowCap(dataset, query)));
    }

    /**
     * Most rows per entity, country and period of the query. Rendering enforces it where {@link
     * Dataset#openRows} holds; otherwise the key columns allow no more.
     */
    public static long rowCap(Dataset dataset, ReportQuery query) {
        if (dataset.openRows(query)) {
            Integer most = dataset.maxRows();
            return most == null ? 1 : most;
        }
        long rows = 1;
        for (DatasetFilter filter : dataset.filters()) {
            if (query.filters().containsKey(filter.column())) {
                rows = times(rows, query.filterCount(filter.column()));
            } else if (filter.total() == null) {
                rows = times(rows, filter.values().size());
            }
        }
        return rows;
    }

    /** Whether the estimate has reached {@link #MAX_ROWS}. */
    public static boolean isCutOff(Quote quote, ReportQuery query) {
        return times(quote.rows(), query.metrics().size()) >= MAX_ROWS;
    }

    /** The product of two numbers that are not negative, cut off. */
    static long times(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? MAX_ROWS : Math.min(MAX_ROWS, a * b);
    }
}
