package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StatusResponse;
import millrace.gateway.access.Caller;
import millrace.gateway.admission.CompletionRate;
import millrace.gateway.admission.SubmissionOutcome;
import millrace.gateway.admission.Submissions;
import millrace.gateway.api.status.StatusRoutes;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.LimitHeaders;

/** Builds the responses to submissions, retries and cancellations. */
@Singleton
final class SubmissionResponses {
    /** Freeing disk space takes a while. */
    private static final Duration DISK_WAIT = Duration.ofSeconds(30);

    private static final Duration UPGRADE_WAIT = Duration.ofMinutes(1);

    private final ReadModel model;
    private final CompletionRate completionRate;
    private final Submissions submissions;

    SubmissionResponses(ReadModel model, CompletionRate completionRate, Submissions submissions) {
        this.model = model;
        this.completionRate = completionRate;
        this.submissions = submissions;
    }

    /** The response to an accepted submission. */
    record Ticket(UUID reportId, String status) {}

    MutableHttpResponse<byte[]> of(HttpRequest<?> http, Caller caller, SubmissionOutcome submitted) {
        LimitHeaders.addOpenReports(http, submissions.openLimit(caller), model.open(caller.accountId()));
        return switch (submitted) {
            case SubmissionOutcome.Accepted(UUID id, String status) -> ticket(id, status);
            case SubmissionOutcome.Replayed(UUID id) ->
                model.report(caller.accountId(), id)
                        .map(report -> ticket(report.status()).header("Idempotent-Replayed", "true"))
                        .orElseGet(() -> of(SubmissionOutcome.Refused.keyTaken())); // it was erased just now
            case SubmissionOutcome.Refused refused -> of(refused);
        };
    }

    MutableHttpResponse<byte[]> of(SubmissionOutcome.Refused refused) {
        var response = JsonResponses.problem(refused.code(), List.of(refused.error()), refused.reportId());
        return switch (refused.code()) {
            case TOO_MANY_OPEN_REPORTS ->
                JsonResponses.retryAfter(response, completionRate.untilCompleted(model.open()));
            case STORAGE_UNAVAILABLE -> JsonResponses.retryAfter(response, Duration.ofSeconds(1));
            case DISK_FULL -> JsonResponses.retryAfter(response, DISK_WAIT);
            case NOT_YET_SUPPORTED -> JsonResponses.retryAfter(response, UPGRADE_WAIT);
            case OUTCOME_UNKNOWN -> JsonResponses.retryAfter(response, Duration.ofSeconds(5));
            default -> response;
        };
    }

    static MutableHttpResponse<byte[]> ticket(ReportStatus report) {
        return ticket(report.reportId(), StatusResponse.word(report));
    }

    private static MutableHttpResponse<byte[]> ticket(UUID reportId, String status) {
        return JsonResponses.ok(new Ticket(reportId, status)).header("Location", StatusRoutes.PATH + reportId);
    }
}
