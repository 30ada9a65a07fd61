package millrace.gateway.submission;

import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.Text;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StatusResponse;
import millrace.gateway.admission.Caller;
import millrace.gateway.admission.CompletionRate;
import millrace.gateway.commands.SubmissionOutcome;
import millrace.gateway.http.JsonResponses;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.readmodel.ReadModel;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.status.StatusRoutes;

/** Builds the responses to submissions, retries and cancellations. */
@Singleton
final class SubmissionResponses {
    /** Freeing disk space takes a while. */
    private static final Duration DISK_WAIT = Duration.ofSeconds(30);

    private final ReadModel model;
    private final CompletionRate completionRate;

    SubmissionResponses(ReadModel model, CompletionRate completionRate) {
        this.model = model;
        this.completionRate = completionRate;
    }

    /** The response to an accepted submission. */
    record Ticket(UUID reportId, String status) {}

    MutableHttpResponse<byte[]> of(Caller caller, SubmissionOutcome submitted) {
        return switch (submitted) {
            case SubmissionOutcome.Accepted(UUID id, String status) -> ticket(id, status);
            case SubmissionOutcome.Replayed(UUID id) ->
                ticket(known(caller, id)).header("Idempotent-Replayed", "true");
            case SubmissionOutcome.KeyTaken() ->
                JsonResponses.problem(
                        ProblemCode.IDEMPOTENCY_CONFLICT,
                        "Idempotency-Key: it belongs to another request; use a new one.");
            case SubmissionOutcome.Underway(UUID id) ->
                JsonResponses.problem(ProblemCode.RETRY_IN_PROGRESS, "report " + id + ": a retry is under way.");
            case SubmissionOutcome.AboveLimit(long estimate, long maxCredits) ->
                JsonResponses.problem(ProblemCode.INVALID_REQUEST, aboveLimit(estimate, maxCredits));
            case SubmissionOutcome.NotEnoughCredits(long estimate, long remaining) ->
                JsonResponses.problem(
                        ProblemCode.INSUFFICIENT_CREDITS,
                        "The report is estimated at " + estimate + " credits; " + remaining + " credits remain.");
            case SubmissionOutcome.TooManyOpen(int limit) ->
                JsonResponses.retryAfter(
                        JsonResponses.problem(
                                ProblemCode.TOO_MANY_OPEN_REPORTS,
                                "The account has " + limit + " reports processing, which is its limit."),
                        completionRate.untilCompleted(model.open()));
            case SubmissionOutcome.TooLarge(int bytes) ->
                JsonResponses.problem(
                        ProblemCode.REQUEST_TOO_LARGE,
                        "The request is " + bytes + " bytes beside its longest lists; at most "
                                + GatewaySettings.MAX_COMMAND_BYTES
                                + " are accepted in one report. Name fewer values in its filters.");
            case SubmissionOutcome.StoreUnavailable() ->
                JsonResponses.unavailable(
                        ProblemCode.STORAGE_UNAVAILABLE,
                        "The lists of the request cannot be kept at the moment; nothing was accepted.");
            case SubmissionOutcome.LowDiskSpace() ->
                JsonResponses.retryAfter(
                        JsonResponses.problem(
                                ProblemCode.DISK_FULL,
                                "There is too little room on a disk of this gateway to accept reports; nothing was accepted."),
                        DISK_WAIT);
            case SubmissionOutcome.Unacknowledged(UUID id) -> unknown(id);
        };
    }

    /** That an estimate is above the {@code max_credits} of the request. */
    static String aboveLimit(long estimate, long maxCredits) {
        return RequestFields.MAX_CREDITS + ": the estimate of " + Text.number(estimate) + " credits is above "
                + Text.number(maxCredits) + "; accepted: at least the estimate, or a smaller request";
    }

    /** 503 for a command that Kafka did not acknowledge in time. */
    static MutableHttpResponse<byte[]> unknown(UUID reportId) {
        String error = "Kafka did not acknowledge in time, so the request may or may not have been accepted. Ask for"
                + " the status of report_id, or repeat the request with the same Idempotency-Key.";
        return JsonResponses.retryAfter(
                JsonResponses.problem(ProblemCode.OUTCOME_UNKNOWN, List.of(error), reportId), Duration.ofSeconds(5));
    }

    static MutableHttpResponse<byte[]> ticket(ReportStatus report) {
        return ticket(report.reportId(), StatusResponse.word(report));
    }

    private static MutableHttpResponse<byte[]> ticket(UUID reportId, String status) {
        return JsonResponses.ok(new Ticket(reportId, status)).header("Location", StatusRoutes.PATH + reportId);
    }

    private ReportStatus known(Caller caller, UUID reportId) {
        return model.report(caller.accountId(), reportId)
                .orElseThrow(() -> new IllegalStateException("accepted report " + reportId + " is not known"))
                .status();
    }
}
