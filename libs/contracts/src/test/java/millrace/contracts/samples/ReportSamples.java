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
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ReportStatus.Failure;
import millrace.contracts.reports.ReportStatus.Progress;
import millrace.contracts.reports.ReportStatus.Receipt;
import millrace.contracts.reports.ReportStatus.Result;
import millrace.contracts.reports.Status;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import org.jspecify.annotations.Nullable;

/** A report that waits, runs, is put together and ends, well or in each way that it can fail. */
final class ReportSamples {
    private static final String RESERVATION = REPORT + ".1.reservation";
    private static final Receipt OPEN = receipt(208, 0, 0, RESERVATION);
    private static final Receipt REFUSED = receipt(0, 0, 0);
    private static final Receipt RELEASED = receipt(208, 0, 208, RESERVATION, REPORT + ".1.release");

    private static final ReportStatus QUEUED = processing(1, new Progress(ReportPhase.QUEUED, 0));
    private static final ReportStatus COMPLETE = new ReportStatus(
            ACCOUNT,
            REPORT,
            "demographics",
            Status.COMPLETE,
            ApiDialect.V3,
            1,
            2,
            at("08:15:30.120"),
            at("08:15:31.870"),
            208,
            null,
            new Result(COUNTS, 190, PART, Instant.parse("2026-12-02T08:15:31.870Z")),
            null,
            receipt(208, 190, 18, RESERVATION, REPORT + ".1.settlement", REPORT + ".1.release"));

    static final List<MessageSample<?>> ALL = List.of(
            status("queued", QUEUED),
            status("rendering", processing(1, new Progress(ReportPhase.RENDERING, 0.25))),
            status("assembling", processing(2, new Progress(ReportPhase.ASSEMBLING, 0.95))),
            status("complete", COMPLETE),
            failed(ErrorCode.INSUFFICIENT_CREDITS, "the estimate is 208 credits, 12 remain", REFUSED),
            failed(ErrorCode.DATASET_UNAVAILABLE, "the data of demographics could not be read", RELEASED),
            failed(ErrorCode.RENDER_FAILED, "a part of the report failed 3 times", RELEASED),
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
            event("processing", QUEUED, QUERY),
            event("long-filter", QUEUED, SampleValues.FILTERED),
            event("complete", COMPLETE, QUERY),
            event("internal_error", failure(ErrorCode.CANCELLED, "cancelled by the client", RELEASED), QUERY),
            event(
                    "daily",
                    QUEUED,
                    query(
                            "traffic_and_engagement",
                            "category_sales_performance_revenue",
                            Granularity.DAILY,
                            "2026-10-01",
                            "2026-10-31",
                            500)),
            event(
                    "weekly",
                    QUEUED,
                    query(
                            "site_keywords",
                            "desktop_keywords_total_visits",
                            Granularity.WEEKLY,
                            "2026-10-05",
                            "2026-10-26",
                            500)),
            event(
                    "7days",
                    QUEUED,
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
        return new MessageSample<>(
                Topics.DATASET_EXAMPLES, name, new DatasetExample(query.dataset(), "20261121-061530", query));
    }

    private static MessageSample<?> event(String name, ReportStatus status, ReportQuery query) {
        return new MessageSample<>(
                Topics.REPORT_EVENTS, name, ReportEvent.of(inDataset(status, query.dataset()), query));
    }

    private static ReportStatus processing(int attempt, Progress progress) {
        return report(Status.PROCESSING, attempt, 2 * attempt - 1, progress, null, OPEN);
    }

    private static ReportStatus failure(ErrorCode code, String message, Receipt receipt) {
        return report(Status.INTERNAL_ERROR, 1, 2, null, new Failure(code, message, code.retryable()), receipt);
    }

    private static ReportStatus report(
            Status status,
            int attempt,
            int sequence,
            @Nullable Progress progress,
            @Nullable Failure error,
            Receipt receipt) {
        return new ReportStatus(
                ACCOUNT,
                REPORT,
                "demographics",
                status,
                attempt == 1 ? ApiDialect.V3 : ApiDialect.ORIGINAL,
                attempt,
                sequence,
                at("08:15:30.120"),
                at("08:15:30.250"),
                208,
                progress,
                null,
                error,
                receipt);
    }

    private static ReportStatus inDataset(ReportStatus r, String dataset) {
        return new ReportStatus(
                r.accountId(),
                r.reportId(),
                dataset,
                r.status(),
                r.dialect(),
                r.attempt(),
                r.sequence(),
                r.submittedAt(),
                r.updatedAt(),
                r.estimatedCredits(),
                r.progress(),
                r.result(),
                r.error(),
                r.receipt());
    }

    private static Receipt receipt(long reserved, long charged, long released, String... entries) {
        return new Receipt(reserved, charged, released, "1 credit per result", List.of(entries));
    }
}
