package millrace.bench.baseline;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** The body of a request, as Millrace takes it. */
record ReportRequest(
        List<String> domains,
        List<String> countries,
        List<String> metrics,
        @JsonProperty("start_date") String startDate,
        @JsonProperty("end_date") String endDate,
        String granularity,
        @JsonProperty("webhook_url") String webhookUrl) {
    private static final Set<String> METRICS = Set.of(
            "desktop_keywords_total_visits",
            "desktop_keywords_organic_visits",
            "desktop_keywords_paid_visits",
            "desktop_keywords_total_share",
            "desktop_keywords_organic_share",
            "desktop_keywords_paid_share");
    /** Most keywords of a domain in a country and week. */
    private static final int KEYWORDS = 20;

    boolean isValid() {
        return domains != null
                && !domains.isEmpty()
                && countries != null
                && !countries.isEmpty()
                && metrics != null
                && !metrics.isEmpty()
                // Their names become part of a statement.
                && METRICS.containsAll(metrics)
                && "weekly".equals(granularity);
    }

    LocalDate from() {
        return LocalDate.parse(startDate);
    }

    LocalDate to() {
        return LocalDate.parse(endDate);
    }

    /** Credits that it costs at most: one for each 100 rows. */
    long estimate() {
        long weeks = 1 + from().until(to(), ChronoUnit.WEEKS);
        return Math.ceilDiv(weeks * domains.size() * countries.size() * KEYWORDS, 100);
    }
}
