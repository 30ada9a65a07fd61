package millrace.gateway.http;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import millrace.contracts.ReportStatus;
import millrace.contracts.StatusAnswer;
import millrace.gateway.GatewaySettings;
import millrace.gateway.admission.Caller;
import millrace.gateway.admission.Pace;
import millrace.gateway.commands.Submitted;
import millrace.gateway.model.ReadModel;

/** What clients hear of a submission, a retry or a cancellation. */
@Singleton
final class SubmissionAnswers {
    /** Somebody has to make room. */
    private static final Duration DISK_WAIT = Duration.ofSeconds(30);

    private final ReadModel model;
    private final Pace pace;

    SubmissionAnswers(ReadModel model, Pace pace) {
        this.model = model;
        this.pace = pace;
    }

    /** The answer to a submission that took place. */
    record Ticket(UUID reportId, String status) {}

    MutableHttpResponse<byte[]> of(Caller caller, Submitted submitted) {
        return switch (submitted) {
            case Submitted.Accepted(UUID id) -> ticket(caller, id);
            case Submitted.Replayed(UUID id) -> ticket(caller, id).header("Idempotent-Replayed", "true");
            case Submitted.KeyTaken() ->
                Answers.problem(HttpStatus.CONFLICT, "Idempotency-Key: it belongs to another request; use a new one.");
            case Submitted.Underway(UUID id) ->
                Answers.problem(HttpStatus.CONFLICT, "report " + id + ": a retry is under way.");
            case Submitted.NotEnoughCredits(long estimate, long remaining) ->
                Answers.problem(
                        HttpStatus.PAYMENT_REQUIRED,
                        "The report is estimated at " + estimate + " credits; " + remaining + " credits remain.");
            case Submitted.TooManyOpen(int limit) ->
                Answers.later(
                        Answers.problem(
                                HttpStatus.TOO_MANY_REQUESTS,
                                "The account has " + limit + " reports processing, which is its limit."),
                        pace.untilDone(model.open()));
            case Submitted.TooLarge(int bytes) ->
                Answers.problem(
                        HttpStatus.REQUEST_ENTITY_TOO_LARGE,
                        "The request is " + bytes + " bytes beside its longest lists; at most "
                                + GatewaySettings.MAX_COMMAND_BYTES
                                + " are accepted in one report. Name fewer values in its filters.");
            case Submitted.StoreAway() ->
                Answers.unavailable("The lists of the request cannot be kept at the moment; nothing was accepted.");
            case Submitted.DiskShort() ->
                Answers.later(
                        Answers.problem(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                "There is too little room on a disk of this gateway to accept reports; nothing was accepted."),
                        DISK_WAIT);
            case Submitted.Unacknowledged(UUID id) -> unknown(id);
        };
    }

    /** Nobody knows whether it was accepted. */
    static MutableHttpResponse<byte[]> unknown(UUID reportId) {
        String error = "Kafka did not acknowledge in time, so the request may or may not have been accepted. Ask for"
                + " the status of report_id, or repeat the request with the same Idempotency-Key.";
        return Answers.later(
                Answers.problem(HttpStatus.SERVICE_UNAVAILABLE, List.of(error), reportId), Duration.ofSeconds(5));
    }

    MutableHttpResponse<byte[]> ticket(Caller caller, UUID reportId) {
        ReportStatus status = model.report(caller.accountId(), reportId)
                .orElseThrow(() -> new IllegalStateException("accepted report " + reportId + " is not known"))
                .status();
        return Answers.ok(new Ticket(reportId, StatusAnswer.word(status)))
                .header("Location", StatusRoutes.PATH + reportId);
    }
}
