package millrace.gateway.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Named;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import millrace.gateway.admission.Caller;
import millrace.gateway.http.Reports.Found;
import millrace.gateway.model.ReportView;

/** One report: how it is, and what was asked. */
@Controller("/v3/batch")
@Produces(MediaType.ALL)
final class StatusRoutes {
    static final String PATH = "/v3/batch/request-status/";

    private final Reports reports;
    private final StatusAnswers statuses;
    private final AcceptedRequests requests;
    private final ExecutorService blocking;

    StatusRoutes(
            Reports reports,
            StatusAnswers statuses,
            AcceptedRequests requests,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reports = reports;
        this.statuses = statuses;
        this.requests = requests;
        this.blocking = blocking;
    }

    /** Most ask for what is known here: these are answered on the event loop, the others where waiting is allowed. */
    @Get("/request-status/{reportId}")
    CompletionStage<HttpResponse<byte[]>> requestStatus(HttpRequest<?> http, @PathVariable String reportId) {
        OptionalInt minSequence = Parameters.integer(http, "min_sequence", 0, Integer.MAX_VALUE, 0);
        if (minSequence.isEmpty()) {
            return CompletableFuture.completedFuture(
                    Answers.problem(HttpStatus.BAD_REQUEST, "min_sequence: must be a whole number from 0."));
        }
        Caller caller = KeyFilter.caller(http);
        int least = minSequence.getAsInt();
        Optional<ReportView> known =
                reports.known(caller, reportId).filter(r -> r.sequence() >= least && !r.mayBeRetried());
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(statuses.answer(known.get().status()));
        }
        return CompletableFuture.supplyAsync(() -> waitFor(caller, reportId, least), blocking);
    }

    private HttpResponse<byte[]> waitFor(Caller caller, String reportId, int minSequence) {
        try {
            return switch (reports.current(caller, reportId, minSequence)) {
                case Found.Missing(var missing) -> missing;
                case Found.Report(ReportView report) -> statuses.answer(report.status());
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answers.unavailable("This gateway is stopping; try again.");
        }
    }

    @Get("/request-query/{reportId}")
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> requestQuery(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        return switch (reports.find(KeyFilter.caller(http), reportId)) {
            case Found.Missing(var answer) -> answer;
            case Found.Report(ReportView report) ->
                requests.of(report)
                        .or(() -> again(http, reportId).flatMap(requests::of))
                        .orElseGet(() -> Answers.unavailable("The request cannot be read at the moment; try again."));
        };
    }

    /** The place of a request moves once, when the ledger has taken it. */
    private Optional<ReportView> again(HttpRequest<?> http, String reportId) {
        return reports.known(KeyFilter.caller(http), reportId);
    }
}
