package millrace.contracts.samples;

import static millrace.contracts.samples.SampleValues.ACCOUNT;
import static millrace.contracts.samples.SampleValues.COUNTS;
import static millrace.contracts.samples.SampleValues.PART;
import static millrace.contracts.samples.SampleValues.QUERY;
import static millrace.contracts.samples.SampleValues.REPORT;
import static millrace.contracts.samples.SampleValues.at;
import static millrace.contracts.samples.SampleValues.query;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportParts;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ReportStatus.Failure;
import millrace.contracts.reports.ReportStatus.Progress;
import millrace.contracts.reports.ReportStatus.Receipt;
import millrace.contracts.reports.ReportStatus.Result;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.DatasetVersion;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import millrace.contracts.topics.Topics;
import org.jspecify.annotations.Nullable;

/** A report that waits, runs, is put together and ends, well or in each way that it can fail. */
final class ReportSamples {
    private static final Instant UPDATED = at("08:15:30.250");
    private static final String RESERVATION = REPORT + ".1.reservation";
    private static final Receipt OPEN = receipt(208, 0, 0, RESERVATION);
    private static final Receipt REFUSED = receipt(0, 0, 0);
    private static final Receipt RELEASED = receipt(208, 0, 208, RESERVATION, REPORT + ".1.release");

    private static final ReportStatus QUEUED = queued(QUERY);
    private static final ReportStatus COMPLETE = QUEUED.completed(
                    new Result(COUNTS, 190, PART, Instant.parse("2026-12-02T08:15:31.870Z")), at("08:15:31.870"))
            .withReceipt(receipt(208, 190, 18, RESERVATION, REPORT + ".1.settlement", REPORT + ".1.release"));

    private static final ReportStatus IN_PARTS = QUEUED.completed(
                    new Result(
                            COUNTS,
                            190,
                            new StoredFile(REPORT + "/1/manifest-1", 987, SampleValues.HASH),
                            Instant.parse("2026-12-02T08:15:31.870Z"),
                            ReportParts.of(SampleValues.PARTS)),
                    at("08:15:31.870"))
            .withReceipt(receipt(208, 190, 18, RESERVATION, REPORT + ".1.settlement", REPORT + ".1.release"));

    private static final ReportStatus IN_MANY_PARTS = QUEUED.completed(
                    new Result(
                            COUNTS,
                            190,
                            new StoredFile(REPORT + "/1/manifest-1", 987, SampleValues.HASH),
                            Instant.parse("2026-12-02T08:15:31.870Z"),
                            new ReportParts(26, 12_345, null)),
                    at("08:15:31.870"))
            .withReceipt(receipt(208, 190, 18, RESERVATION, REPORT + ".1.settlement", REPORT + ".1.release"));

    private static final ReportStatus WARNED = new RequestReport(
                    REPORT,
                    new ReportRequest(QUERY, null, null, ApiDialect.V3),
                    new Quote(208, 52, PriceRule.PER_RESULT),
                    null,
                    at("08:15:30.120"),
                    SampleValues.TRACE,
                    SampleValues.WARNINGS,
                    null,
                    null,
                    null)
            .undecidedStatus(ACCOUNT)
            .started(1, at("08:15:30.120"));

    private static final ReportStatus NAMED = new RequestReport(
                    REPORT,
                    new ReportRequest(QUERY, null, null, ApiDialect.ORIGINAL, "weekly audience", 180, null),
                    new Quote(208, 52, PriceRule.PER_RESULT),
                    null,
                    at("08:15:30.120"),
                    SampleValues.TRACE)
            .undecidedStatus(ACCOUNT)
            .started(1, at("08:15:30.120"));

    private static final ReportStatus MADE_FROM = new RequestReport(
                    REPORT,
                    new ReportRequest(QUERY, null, null, ApiDialect.V3, null, null, SampleValues.TAGS),
                    new Quote(208, 52, PriceRule.PER_RESULT),
                    null,
                    at("08:15:30.120"),
                    SampleValues.TRACE,
                    null,
                    null,
                    null,
                    QueryHash.of(QUERY))
            .undecidedStatus(ACCOUNT)
            .started(1, at("08:15:30.120"))
            .reading("20261121-061530", at("06:15:31.000"));

    private static final ReportStatus THROWN = QUEUED.failed(
                    1,
                    new Failure(
                            ErrorCode.DATASET_UNAVAILABLE,
                            "The data could not be read.",
                            true,
                            "java.sql.SQLException: the connection was refused"),
                    UPDATED)
            .withReceipt(RELEASED);

    static final List<MessageSample<?>> ALL = List.of(
            status("queued", QUEUED),
            status("rendering", processing("demographics", 1, new Progress(ReportPhase.RENDERING, 0.25))),
            status("assembling", processing("demographics", 2, new Progress(ReportPhase.ASSEMBLING, 0.95))),
            status("complete", COMPLETE),
            status("complete-in-parts", IN_PARTS),
            status("complete-in-many-parts", IN_MANY_PARTS),
            status("with-warnings", WARNED),
            status("with-a-name", NAMED),
            status("with-what-it-is-made-from", MADE_FROM),
            failed(ErrorCode.INSUFFICIENT_CREDITS, "the estimate is 208 credits, 12 remain", REFUSED),
            failed(ErrorCode.DATASET_UNAVAILABLE, "the data of demographics could not be read", RELEASED),
            failed(ErrorCode.RENDER_FAILED, "a part of the report failed 3 times", RELEASED),
            status("internal_error-with-a-cause", THROWN),
            failed(ErrorCode.CANCELLED, "cancelled by the client", RELEASED),
            failed(ErrorCode.IDEMPOTENCY_CONFLICT, "another request has this Idempotency-Key", REFUSED),
            example("monthly", QUERY),
            example(
                    "weekly",
                    query(
                            "site_keywords",
                            "desktop_keywords_total_visits",
                            Granularity.WEEKLY,
                            "2026-10-05",
                            "2026-10-19",
                            5)),
            example("with-facts", "demographics", QUERY, facts(at("06:15:30.000"))),
            example("without-metrics", "demographics", null, facts(null)),
            new MessageSample<>(
                    Topics.DATASET_EXAMPLES,
                    "with-versions",
                    new DatasetExample(
                            "demographics",
                            "20261121-061530",
                            null,
                            null,
                            List.of(
                                    new DatasetVersion("20261101-050000", null),
                                    new DatasetVersion("20261121-061530", at("06:15:30.000"))),
                            null,
                            null,
                            null)),
            new MessageSample<>(
                    Topics.DATASET_EXAMPLES,
                    "with-access",
                    new DatasetExample(
                            "demographics",
                            "20261121-061530",
                            null,
                            facts(at("06:15:30.000")),
                            null,
                            List.of(List.of("web_desktop_data", "web_mobile_data"), List.of("app_data")),
                            at("06:15:31.000"),
                            null)),
            new MessageSample<>(
                    Topics.DATASET_VERSIONS,
                    "published",
                    new DataVersionAvailable(
                            "demographics",
                            2,
                            "20261121-061530",
                            DataVersionAvailable.Change.PUBLISHED,
                            at("06:15:30.000"),
                            at("06:15:31.000"),
                            1_200_000,
                            40_000,
                            Map.of(
                                    "monthly",
                                    new DatasetFacts.Span(
                                            SampleValues.day("2025-11-01"), SampleValues.day("2026-10-01"))),
                            new DataVersionAvailable.Previous(
                                    "20261021-061500",
                                    Map.of(
                                            "monthly",
                                            new DatasetFacts.Span(
                                                    SampleValues.day("2025-10-01"), SampleValues.day("2026-09-01")))),
                            at("06:15:33.000"))),
            new MessageSample<>(
                    Topics.DATASET_VERSIONS,
                    "restored",
                    new DataVersionAvailable(
                            "demographics",
                            1,
                            "20261021-061500",
                            DataVersionAvailable.Change.RESTORED,
                            null,
                            null,
                            1_100_000,
                            39_000,
                            Map.of(
                                    "monthly",
                                    new DatasetFacts.Span(
                                            SampleValues.day("2025-10-01"), SampleValues.day("2026-09-01"))),
                            null,
                            at("06:15:33.000"))),
            new MessageSample<>(
                    Topics.DATASET_EXAMPLES,
                    "with-absent-metrics",
                    new DatasetExample(
                            "traffic_and_engagement",
                            "20261121-061530",
                            null,
                            null,
                            null,
                            null,
                            null,
                            List.of("all_traffic_visits", "global_rank"))),
            event("with-warnings", WARNED, QUERY),
            event("with-a-name", NAMED, QUERY),
            event("with-what-it-is-made-from", MADE_FROM, QUERY),
            queuedEvent("processing", QUERY),
            queuedEvent("long-filter", SampleValues.FILTERED),
            queuedEvent("with-an-offset", QUERY.withOffset(200)),
            event("complete", COMPLETE, QUERY),
            event("complete-in-parts", IN_PARTS, SampleValues.SPLIT),
            new MessageSample<>(
                    Topics.REPORT_EVENTS, "compressed", ReportEvent.of(queued(QUERY), SampleValues.COMPRESSED)),
            event("internal_error-with-a-cause", THROWN, QUERY),
            event("internal_error", failure(ErrorCode.CANCELLED, "cancelled by the client", RELEASED), QUERY),
            queuedEvent(
                    "daily",
                    query(
                            "traffic_and_engagement",
                            "category_sales_performance_revenue",
                            Granularity.DAILY,
                            "2026-10-01",
                            "2026-10-31",
                            500)),
            queuedEvent(
                    "weekly",
                    query(
                            "site_keywords",
                            "desktop_keywords_total_visits",
                            Granularity.WEEKLY,
                            "2026-10-05",
                            "2026-10-26",
                            500)),
            queuedEvent(
                    "7days",
                    query(
                            "site_keywords",
                            "desktop_keywords_total_visits",
                            Granularity.SEVEN_DAYS,
                            "2026-10-05",
                            "2026-10-26",
                            500)));

    private ReportSamples() {}

    private static MessageSample<?> status(String name, ReportStatus status) {
        return new MessageSample<>(Topics.REPORT_STATUS, name, status);
    }

    private static MessageSample<?> failed(ErrorCode code, String message, Receipt receipt) {
        return status(
                "internal_error-" + code.name().toLowerCase(java.util.Locale.ROOT), failure(code, message, receipt));
    }

    private static MessageSample<?> example(String name, ReportQuery query) {
        return example(name, query.dataset(), query, null);
    }

    private static MessageSample<?> example(
            String name, String dataset, @Nullable ReportQuery query, @Nullable DatasetFacts facts) {
        return new MessageSample<>(
                Topics.DATASET_EXAMPLES,
                name,
                new DatasetExample(dataset, "20261121-061530", query, facts, null, null, null, null));
    }

    private static DatasetFacts facts(@Nullable Instant updatedAt) {
        return new DatasetFacts(
                updatedAt,
                5_200,
                100,
                Map.of(
                        "monthly",
                        new DatasetFacts.Span(SampleValues.day("2025-10-01"), SampleValues.day("2026-10-01"))),
                List.of("example.com", "example.net", "example.org"));
    }

    private static MessageSample<?> queuedEvent(String name, ReportQuery query) {
        return event(name, queued(query), query);
    }

    private static MessageSample<?> event(String name, ReportStatus status, ReportQuery query) {
        ReportEvent event = ReportEvent.of(status, query);
        return new MessageSample<>(
                Topics.REPORT_EVENTS,
                name,
                new ReportEvent(event.report(), withoutFormat(event.query()), event.timings()));
    }

    /** As events were before they had the format. */
    private static QuerySummary withoutFormat(QuerySummary q) {
        return new QuerySummary(
                q.entityCount(),
                q.entities(),
                q.entitiesSha256(),
                q.countries(),
                q.metrics(),
                q.granularity(),
                q.firstPeriod(),
                q.lastPeriod(),
                q.filters(),
                q.subdomains(),
                q.limit(),
                q.longFilters(),
                null,
                null,
                q.offset());
    }

    private static ReportStatus queued(ReportQuery query) {
        return processing(query.dataset(), 1, Progress.QUEUED);
    }

    private static ReportStatus failure(ErrorCode code, String message, Receipt receipt) {
        return QUEUED.failed(1, new Failure(code, message, code.retryable()), UPDATED)
                .withReceipt(receipt);
    }

    private static ReportStatus processing(String dataset, int attempt, Progress progress) {
        return new ReportStatus(
                ACCOUNT,
                REPORT,
                dataset,
                Status.PROCESSING,
                attempt == 1 ? ApiDialect.V3 : ApiDialect.ORIGINAL,
                attempt,
                2 * attempt - 1,
                at("08:15:30.120"),
                UPDATED,
                208,
                progress,
                null,
                null,
                OPEN);
    }

    private static Receipt receipt(long reserved, long charged, long released, String... entries) {
        return new Receipt(reserved, charged, released, "1 credit per result", List.of(entries));
    }
}
