package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.catalog.validation.CheckedRequest.OpenEnd;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import org.junit.jupiter.api.Test;

class SubmissionIdTest {
    private static final UUID RANDOM = new UUID(3, 4);
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

    @Test
    void isRandomWithoutAKey() {
        SubmissionId ids = SubmissionId.of("a", null, request(Map.of(), 1L), null, NOON, () -> RANDOM);
        assertThat(ids.reportId()).isEqualTo(RANDOM);
        assertThat(ids.idempotency()).isNull();
    }

    @Test
    void followsFromAccountKeyAndRequest() {
        UUID id = id("a", "k", request(Map.of(), 1L));
        assertThat(id.version()).isEqualTo(8);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id).isEqualTo(id("a", "k", request(Map.of(), 1L)));
        assertThat(id)
                .isNotEqualTo(id("b", "k", request(Map.of(), 1L)))
                .isNotEqualTo(id("a", "l", request(Map.of(), 1L)))
                .isNotEqualTo(id("a", "k", request(Map.of(), 2L)));
    }

    @Test
    void doesNotDependOnTheOrderOfFilters() {
        var up = new LinkedHashMap<String, List<String>>();
        up.put("age_group", List.of("65+"));
        up.put("gender", List.of("Male"));
        Map<String, List<String>> down = new LinkedHashMap<>(up.reversed());
        assertThat(id("a", "k", request(up, 1L))).isEqualTo(id("a", "k", request(down, 1L)));
    }

    /** The end that was found for it changes from day to day, and the client repeats what it sent. */
    @Test
    void ofAnOpenEndStandsForWhatWasSent() {
        ReportRequest today = request(Map.of(), 1L);
        ReportRequest tomorrow = today.withQuery(today.query()
                .withDates(new ReportQuery.Dates(
                        Granularity.MONTHLY, LocalDate.parse("2025-01-01"), LocalDate.parse("2025-03-01"))));
        var start = OpenEnd.from(LocalDate.parse("2025-01-01"));
        assertThat(id(today, start)).isEqualTo(id(tomorrow, start));
        assertThat(id(today, start))
                .isNotEqualTo(id(today, OpenEnd.from(null)))
                .isNotEqualTo(id(today, OpenEnd.from(LocalDate.parse("2024-12-01"))))
                .isNotEqualTo(id("a", "k", today));
        assertThat(id(request(Map.of(), 2L), start)).isNotEqualTo(id(today, start));
        var window = new OpenEnd(null, "3m", null);
        assertThat(id(today, window)).isEqualTo(id(tomorrow, window)).isNotEqualTo(id(today, OpenEnd.from(null)));
        assertThat(id(today, new OpenEnd(null, "all", null)))
                .isNotEqualTo(id(today, window))
                .isNotEqualTo(id(today, new OpenEnd(null, "all", LocalDate.parse("2025-02-01"))));
    }

    /** More periods, or values of the catalog, may need more files. */
    @Test
    void doesNotDependOnTheNumberOfFiles() {
        var start = OpenEnd.from(LocalDate.parse("2025-01-01"));
        ReportRequest whole = request(Map.of(), 1L);
        ReportRequest today = whole.withQuery(whole.query().withSplit(new ReportQuery.Split(10_000, 2)));
        ReportRequest tomorrow = whole.withQuery(whole.query().withSplit(new ReportQuery.Split(10_000, 3)));
        ReportRequest smaller = whole.withQuery(whole.query().withSplit(new ReportQuery.Split(20_000, 2)));
        assertThat(id(today, start))
                .isEqualTo(id(tomorrow, start))
                .isNotEqualTo(id(smaller, start))
                .isNotEqualTo(id(whole, start));
        assertThat(id("a", "k", today))
                .isEqualTo(id("a", "k", tomorrow))
                .isNotEqualTo(id("a", "k", smaller))
                .isNotEqualTo(id("a", "k", whole));
    }

    private static UUID id(ReportRequest request, OpenEnd openEnd) {
        return SubmissionId.of("a", "k", request, openEnd, NOON, () -> RANDOM).reportId();
    }

    private static UUID id(String account, String key, ReportRequest request) {
        return SubmissionId.of(account, key, request, null, NOON, () -> RANDOM).reportId();
    }

    private static ReportRequest request(Map<String, List<String>> filters, long maxCredits) {
        var dates = new ReportQuery.Dates(
                Granularity.MONTHLY, LocalDate.parse("2025-01-01"), LocalDate.parse("2025-02-01"));
        var query = new ReportQuery(
                "demographics",
                List.of("example.com"),
                List.of("US"),
                List.of("demographics_share"),
                dates,
                filters,
                false,
                null,
                ReportQuery.Output.CSV);
        return new ReportRequest(query, null, maxCredits, ApiDialect.V3);
    }
}
