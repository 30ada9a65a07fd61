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
import java.util.Optional;
import java.util.OptionalInt;
import millrace.gateway.http.Reports.Found;
import millrace.gateway.model.ReportView;

/** One report: how it is, and what was asked. */
@Controller("/v3/batch")
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class StatusRoutes {
    static final String PATH = "/v3/batch/request-status/";

    private final Reports reports;
    private final StatusAnswers statuses;
    private final AcceptedRequests requests;

    StatusRoutes(Reports reports, StatusAnswers statuses, AcceptedRequests requests) {
        this.reports = reports;
        this.statuses = statuses;
        this.requests = requests;
    }

    @Get("/request-status/{reportId}")
    HttpResponse<byte[]> requestStatus(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        OptionalInt minSequence = Parameters.integer(http, "min_sequence", 0, Integer.MAX_VALUE, 0);
        if (minSequence.isEmpty()) {
            return Answers.problem(HttpStatus.BAD_REQUEST, "min_sequence: must be a whole number from 0.");
        }
        return switch (reports.find(KeyFilter.caller(http), reportId, minSequence.getAsInt())) {
            case Found.Missing(var answer) -> answer;
            case Found.Report(ReportView report) -> statuses.answer(report.status());
        };
    }

    @Get("/request-query/{reportId}")
    HttpResponse<?> requestQuery(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        return switch (reports.find(KeyFilter.caller(http), reportId, 0)) {
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
