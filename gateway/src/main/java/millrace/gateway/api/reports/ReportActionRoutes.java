package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.admission.CommandLog;
import millrace.gateway.admission.SubmissionOutcome;
import millrace.gateway.admission.Submissions;
import millrace.gateway.api.status.ReportFinder;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/**
 * Retries, cancels and erases reports. Bodies are read although they are not needed: a body with
 * faulty framing may hide another request.
 */
@Controller("/v3/batch")
@BlockingRoutes
public final class ReportActionRoutes {
    /**
     * For the ledger's decision: milliseconds usually, some seconds where another processor has to
     * take over.
     */
    private static final Duration DECISION = Duration.ofSeconds(10);

    private final ReportFinder reports;
    private final Submissions submissions;
    private final CommandLog log;
    private final SubmissionResponses answers;
    private final RequestBodyReader bodies;

    ReportActionRoutes(
            ReportFinder reports,
            Submissions submissions,
            CommandLog log,
            SubmissionResponses answers,
            RequestBodyReader bodies) {
        this.reports = reports;
        this.submissions = submissions;
        this.log = log;
        this.answers = answers;
        this.bodies = bodies;
    }

    @Post("/retry/{reportId}")
    @RequiredScopes(KeyScope.REQUEST)
    CompletionStage<? extends HttpResponse<byte[]>> retry(
            HttpRequest<?> http, @PathVariable String reportId, @Nullable @Body InputStream body)
            throws InterruptedException {
        bodies.skip(http, body);
        Caller caller = ApiKeyFilter.caller(http);
        ReportStatus report = reports.current(caller, reportId, 0).status();
        ReportStatus.Failure error = report.error();
        if (report.status() != Status.INTERNAL_ERROR || error == null) {
            throw notRetryable("The report is " + report.status().word() + "; only internal_error can be retried.");
        }
        if (report.attempt() >= ReportStatus.MOST_ATTEMPTS) {
            throw notRetryable(
                    "The report has been retried " + (ReportStatus.MOST_ATTEMPTS - 1) + " times, which is the most.");
        }
        if (!error.retryable()) {
            throw notRetryable("The report's error cannot be mended by a retry: " + error.message());
        }
        return submissions.retry(caller, report).thenApply(s -> answers.of(http, caller, s));
    }

    /** Waits for the ledger, because a report may end before its cancellation is decided. */
    @Post("/cancel/{reportId}")
    @RequiredScopes(KeyScope.REQUEST)
    HttpResponse<byte[]> cancel(HttpRequest<?> http, @PathVariable String reportId, @Nullable @Body InputStream body)
            throws InterruptedException {
        bodies.skip(http, body);
        return cancel(ApiKeyFilter.caller(http), reportId);
    }

    /**
     * Ends a report that is processing. Blocks until the ledger has decided.
     *
     * @throws RefusedException if the account has no such report, it has ended, or it is not known what was decided
     */
    public HttpResponse<byte[]> cancel(Caller caller, String reportId) throws InterruptedException {
        ReportView report = reports.current(caller, reportId, 0);
        if (report.word() != Status.PROCESSING) {
            throw hasEnded(report.status());
        }
        UUID id = report.cursor().reportId();
        append(caller, id, new AccountCommand.CancelReport(id));
        ReportStatus ended = reports.awaitEnd(report, DECISION).status();
        if (ended.status() == Status.PROCESSING) {
            throw undecided(
                    id,
                    "The report will be cancelled unless it ends before that is its turn, which takes longer than"
                            + " usual. Ask for the status of report_id.");
        }
        ReportStatus.Failure error = ended.error();
        if (error == null || error.code() != ErrorCode.CANCELLED) {
            throw hasEnded(ended);
        }
        return SubmissionResponses.ticket(ended);
    }

    /** Waits for the ledger, because another gateway may have accepted a retry that is decided before. */
    @Delete("/reports/{reportId}")
    @RequiredScopes(KeyScope.REQUEST)
    HttpResponse<byte[]> erase(HttpRequest<?> http, @PathVariable String reportId, @Nullable @Body InputStream body)
            throws InterruptedException {
        bodies.skip(http, body);
        Caller caller = ApiKeyFilter.caller(http);
        ReportView report = reports.current(caller, reportId, 0);
        if (report.word() == Status.PROCESSING) {
            throw hasNotEnded();
        }
        UUID id = report.cursor().reportId();
        append(caller, id, new AccountCommand.EraseReport(id));
        Optional<ReportView> left = reports.awaitErased(report, DECISION);
        if (left.isEmpty()) {
            return HttpResponse.noContent();
        }
        throw left.get().word() == Status.PROCESSING
                ? hasNotEnded()
                : undecided(
                        id,
                        "The report will be erased, which takes longer than usual. Ask for the status of report_id:"
                                + " it is 404 once that is done.");
    }

    private void append(Caller caller, UUID id, AccountCommand command) throws InterruptedException {
        try {
            log.append(caller.accountId(), command).get();
        } catch (ExecutionException e) {
            throw new RefusedException(answers.of(SubmissionOutcome.Refused.unacknowledged(id)));
        }
    }

    private static RefusedException hasNotEnded() {
        return new RefusedException(
                ProblemCode.REPORT_NOT_ENDED, "The report is processing: cancel it first, or wait for its end.");
    }

    private static RefusedException hasEnded(ReportStatus report) {
        return new RefusedException(
                ProblemCode.REPORT_ENDED,
                "The report has ended: it is " + report.status().word() + ".");
    }

    private static RefusedException undecided(UUID id, String error) {
        return new RefusedException(JsonResponses.retryAfter(
                JsonResponses.problem(ProblemCode.OUTCOME_UNKNOWN, List.of(error), id), Duration.ofSeconds(5)));
    }

    private static RefusedException notRetryable(String error) {
        return new RefusedException(ProblemCode.REPORT_NOT_RETRYABLE, error);
    }
}
