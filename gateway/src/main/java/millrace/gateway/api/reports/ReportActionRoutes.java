package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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
import millrace.gateway.api.status.ReportFinder.Found;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/**
 * Retries, cancels and erases reports. Bodies are read although they are not needed: a body with
 * faulty framing may hide another request.
 */
@Controller("/v3/batch")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class ReportActionRoutes {
    private static final int MOST_ATTEMPTS = 4;
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
        return switch (found(http, reportId, body)) {
            case Found.Missing(var answer) -> CompletableFuture.completedFuture(answer);
            case Found.Report(ReportView view) -> retry(ApiKeyFilter.caller(http), view.status());
        };
    }

    @Post("/cancel/{reportId}")
    @RequiredScopes(KeyScope.REQUEST)
    CompletionStage<? extends HttpResponse<byte[]>> cancel(
            HttpRequest<?> http, @PathVariable String reportId, @Nullable @Body InputStream body)
            throws InterruptedException {
        return switch (found(http, reportId, body)) {
            case Found.Missing(var answer) -> CompletableFuture.completedFuture(answer);
            case Found.Report(ReportView view) ->
                CompletableFuture.completedFuture(cancel(ApiKeyFilter.caller(http), view));
        };
    }

    @Delete("/reports/{reportId}")
    @RequiredScopes(KeyScope.REQUEST)
    HttpResponse<byte[]> erase(HttpRequest<?> http, @PathVariable String reportId, @Nullable @Body InputStream body)
            throws InterruptedException {
        return switch (found(http, reportId, body)) {
            case Found.Missing(var answer) -> answer;
            case Found.Report(ReportView view) -> erase(ApiKeyFilter.caller(http), view);
        };
    }

    /** The report, once the body has been read; the answer if there is none, or if the body is refused. */
    private Found found(HttpRequest<?> http, String reportId, @Nullable InputStream body) throws InterruptedException {
        var refusal = bodies.skip(http, body);
        return refusal.isPresent()
                ? new Found.Missing(refusal.get())
                : reports.current(ApiKeyFilter.caller(http), reportId, 0);
    }

    private CompletionStage<? extends HttpResponse<byte[]>> retry(Caller caller, ReportStatus report) {
        ReportStatus.Failure error = report.error();
        if (report.status() != Status.INTERNAL_ERROR || error == null) {
            return notRetryable("The report is " + report.status().word() + "; only internal_error can be retried.");
        }
        if (report.attempt() >= MOST_ATTEMPTS) {
            return notRetryable("The report has been retried " + (MOST_ATTEMPTS - 1) + " times, which is the most.");
        }
        if (!error.retryable()) {
            return notRetryable("The report's error cannot be mended by a retry: " + error.message());
        }
        return submissions.retry(caller, report).thenApply(s -> answers.of(caller, s));
    }

    /** Waits for the ledger, because a report may end before its cancellation is decided. */
    private HttpResponse<byte[]> cancel(Caller caller, ReportView report) throws InterruptedException {
        if (report.word() != Status.PROCESSING) {
            return hasEnded(report.status());
        }
        UUID id = report.cursor().reportId();
        try {
            log.append(caller.accountId(), new AccountCommand.CancelReport(id)).get();
        } catch (ExecutionException e) {
            return answers.of(SubmissionOutcome.Refused.unacknowledged(id));
        }
        ReportStatus ended = reports.awaitEnd(report, DECISION).status();
        if (ended.status() == Status.PROCESSING) {
            return undecided(
                    id,
                    "The report will be cancelled unless it ends before that is its turn, which takes longer than"
                            + " usual. Ask for the status of report_id.");
        }
        ReportStatus.Failure error = ended.error();
        return error != null && error.code() == ErrorCode.CANCELLED
                ? SubmissionResponses.ticket(ended)
                : hasEnded(ended);
    }

    /** Waits for the ledger, because another gateway may have accepted a retry that is decided before. */
    private HttpResponse<byte[]> erase(Caller caller, ReportView report) throws InterruptedException {
        if (report.word() == Status.PROCESSING) {
            return hasNotEnded();
        }
        UUID id = report.cursor().reportId();
        try {
            log.append(caller.accountId(), new AccountCommand.EraseReport(id)).get();
        } catch (ExecutionException e) {
            return answers.of(SubmissionOutcome.Refused.unacknowledged(id));
        }
        Optional<ReportView> left = reports.awaitErased(report, DECISION);
        if (left.isEmpty()) {
            return HttpResponse.noContent();
        }
        return left.get().word() == Status.PROCESSING
                ? hasNotEnded()
                : undecided(
                        id,
                        "The report will be erased, which takes longer than usual. Ask for the status of report_id:"
                                + " it is 404 once that is done.");
    }

    private static HttpResponse<byte[]> hasNotEnded() {
        return JsonResponses.problem(
                ProblemCode.REPORT_NOT_ENDED, "The report is processing: cancel it first, or wait for its end.");
    }

    private static HttpResponse<byte[]> hasEnded(ReportStatus report) {
        return JsonResponses.problem(
                ProblemCode.REPORT_ENDED,
                "The report has ended: it is " + report.status().word() + ".");
    }

    private static HttpResponse<byte[]> undecided(UUID id, String error) {
        return JsonResponses.retryAfter(
                JsonResponses.problem(ProblemCode.OUTCOME_UNKNOWN, List.of(error), id), Duration.ofSeconds(5));
    }

    private static CompletionStage<HttpResponse<byte[]>> notRetryable(String error) {
        return CompletableFuture.completedFuture(JsonResponses.problem(ProblemCode.REPORT_NOT_RETRYABLE, error));
    }
}
