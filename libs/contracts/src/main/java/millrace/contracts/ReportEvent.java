package millrace.contracts;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A status change of a report, topic {@code report-events}.
 *
 * @param status the report as it stands after the change
 */
public record ReportEvent(ReportStatus status, QuerySummary query, Timings timings) {

    /**
     * A query without its bulk.
     *
     * @param entities the first entities, at most 10
     * @param entitiesSha256 lower-case hex over all entities, joined by LF
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
            @Nullable Integer limit) {

        private static final int SHOWN = 10;

        public static QuerySummary of(ReportQuery q) {
            List<String> shown =
                    q.entities().subList(0, Math.min(SHOWN, q.entities().size()));
            return new QuerySummary(
                    q.entities().size(),
                    List.copyOf(shown),
                    Hashes.sha256Lines(q.entities()),
                    q.countries(),
                    q.metrics(),
                    q.dates().granularity(),
                    q.dates().first(),
                    q.dates().last(),
                    q.filters(),
                    q.subdomains(),
                    q.limit());
        }
    }

    /**
     * @param occurredAt when the ledger made the change
     * @param elapsed since the request was accepted
     */
    public record Timings(Instant submittedAt, Instant occurredAt, Duration elapsed) {}
}
