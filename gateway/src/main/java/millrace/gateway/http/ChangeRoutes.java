package millrace.gateway.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import millrace.contracts.AccountCommand;
import millrace.contracts.ReportStatus;
import millrace.contracts.Status;
import millrace.gateway.admission.Caller;
import millrace.gateway.commands.CommandLog;
import millrace.gateway.commands.Submissions;
import millrace.gateway.http.Reports.Found;
import millrace.gateway.model.ReportView;
import org.jspecify.annotations.Nullable;

/** Retry and cancel. A body is not needed; it is read, since where it is framed wrongly the request may be another one. */
@Controller("/v3/batch")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class ChangeRoutes {
    private static final int MOST_ATTEMPTS = 4;

    private final Reports reports;
    private final Submissions submissions;
    private final CommandLog log;
    private final SubmissionAnswers answers;
    private final RequestBodies bodies;

    ChangeRoutes(
            Reports reports, Submissions submissions, CommandLog log, SubmissionAnswers answers, RequestBodies bodies) {
        this.reports = reports;
        this.submissions = submissions;
        this.log = log;
        this.answers = answers;
        this.bodies = bodies;
    }

    @Post("/retry/{reportId}")
    CompletionStage<? extends HttpResponse<byte[]>> retry(
            HttpRequest<?> http, @PathVariable String reportId, @Nullable @Body InputStream body)
            throws InterruptedException {
        Caller caller = KeyFilter.caller(http);
        var refusal = bodies.skip(http, body);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        return switch (reports.find(caller, reportId, 0)) {
            case Found.Missing(var answer) -> CompletableFuture.completedFuture(answer);
            case Found.Report(ReportView view) -> retry(caller, view.status());
        };
    }

    @Post("/cancel/{reportId}")
    CompletionStage<? extends HttpResponse<byte[]>> cancel(
            HttpRequest<?> http, @PathVariable String reportId, @Nullable @Body InputStream body)
            throws InterruptedException {
        Caller caller = KeyFilter.caller(http);
        var refusal = bodies.skip(http, body);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        return switch (reports.find(caller, reportId, 0)) {
            case Found.Missing(var answer) -> CompletableFuture.completedFuture(answer);
            case Found.Report(ReportView view) -> cancel(caller, view.status());
        };
    }

    private CompletionStage<? extends HttpResponse<byte[]>> retry(Caller caller, ReportStatus report) {
        ReportStatus.Failure error = report.error();
        if (report.status() != Status.INTERNAL_ERROR || error == null) {
            return conflict("The report is " + report.status().word() + "; only internal_error can be retried.");
        }
        if (report.attempt() >= MOST_ATTEMPTS) {
            return conflict("The report has been retried " + (MOST_ATTEMPTS - 1) + " times, which is the most.");
        }
        if (!error.retryable()) {
            return conflict("The report's error cannot be mended by a retry: " + error.message());
        }
        return submissions.retry(caller, report).thenApply(s -> answers.of(caller, s));
    }

    private CompletionStage<? extends HttpResponse<byte[]>> cancel(Caller caller, ReportStatus report) {
        if (report.status() != Status.PROCESSING) {
            return conflict("The report has ended: it is " + report.status().word() + ".");
        }
        return log.append(caller.accountId(), new AccountCommand.CancelReport(report.reportId()))
                .handle((at, failure) -> failure == null
                        ? answers.ticket(caller, report.reportId())
                        : SubmissionAnswers.unknown(report.reportId()));
    }

    private static CompletionStage<HttpResponse<byte[]>> conflict(String error) {
        return CompletableFuture.completedFuture(Answers.problem(HttpStatus.CONFLICT, error));
    }
}
