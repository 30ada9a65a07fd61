package millrace.contracts.reports;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import org.jspecify.annotations.Nullable;

/**
 * A status change of a report, topic {@code report-events}.
 *
 * @param report the status after the change
 * @param query the report's query without its bulk
 * @param timings time since the request
 */
public record ReportEvent(ReportStatus report, QuerySummary query, Timings timings) {

    /** @param report the status after the change, which happened at its {@code updatedAt} */
    public static ReportEvent of(ReportStatus report, ReportQuery query) {
        return new ReportEvent(
                report, QuerySummary.of(query), Timings.between(report.submittedAt(), report.updatedAt()));
    }

    /**
     * A query without its bulk.
     *
     * @param entities the first entities, at most 10
     * @param entitiesSha256 lower-case hex over all entities, joined by LF
     * @param filters the first values of each filter, at most 10
     * @param longFilters count and hash of filters with more values; null where there is none
     * @param responseFormat as in the request, for example {@code csv}; null in events of earlier
     *     versions
     * @param compression as in the request, {@code none} where it names none; null in events of
     *     earlier versions
     * @param offset rows left out before the first row of the report; null where there are none
     */
    public record QuerySummary(
            int entityCount,
            List<String> entities,
            String entitiesSha256,
            List<String> countries,
            List<String> metrics,
            Granularity granularity,
            LocalDate firstPeriod,
            LocalDate lastPeriod,
            Map<String, List<String>> filters,
            boolean subdomains,
            @Nullable Integer limit,
            @Nullable Map<String, Values> longFilters,
            @Nullable String responseFormat,
            @Nullable String compression,
            @Nullable Integer offset) {

        /**
         * Count and hash of all values of a filter.
         *
         * @param sha256 lower-case hex over all of them, joined by LF
         */
        public record Values(int count, String sha256) {}

        public static QuerySummary of(ReportQuery q) {
            var filters = new TreeMap<String, List<String>>();
            var longFilters = new TreeMap<String, Values>();
            q.filters().forEach((column, values) -> {
                filters.put(column, first(values));
                if (q.filterCount(column) > EntityList.SHOWN) {
                    longFilters.put(column, new Values(q.filterCount(column), q.filterSha256(column)));
                }
            });
            return new QuerySummary(
                    q.entityCount(),
                    first(q.entities()),
                    q.entitiesSha256(),
                    q.countries(),
                    q.metrics(),
                    q.dates().granularity(),
                    q.dates().first(),
                    q.dates().last(),
                    filters,
                    q.subdomains(),
                    q.limit(),
                    longFilters.isEmpty() ? null : longFilters,
                    q.output().responseFormat(),
                    q.output().compressionWord(),
                    q.offset());
        }

        private static List<String> first(List<String> values) {
            return List.copyOf(values.subList(0, Math.min(EntityList.SHOWN, values.size())));
        }
    }

    /**
     * @param occurredAt when the ledger made the change
     * @param elapsedMillis milliseconds between the two
     */
    public record Timings(Instant submittedAt, Instant occurredAt, long elapsedMillis) {
        public static Timings between(Instant submittedAt, Instant occurredAt) {
            return new Timings(
                    submittedAt,
                    occurredAt,
                    Duration.between(submittedAt, occurredAt).toMillis());
        }
    }
}
