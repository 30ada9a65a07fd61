package millrace.gateway.api.status;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StatusResponse;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;

/** Answers with the status of one report, and with its request. */
@Controller("/v3/batch")
@Produces(MediaType.ALL)
public final class StatusRoutes {
    public static final String PATH = "/v3/batch/request-status/";

    /** Seconds. */
    public static final int LONGEST_WAIT = 60;

    private static final Pattern WAIT = Pattern.compile("(?:^|[,;\\s])wait=([0-9]{1,5})(?:$|[,;\\s])");

    private final ReportFinder reports;
    private final StatusResponses statuses;
    private final AcceptedRequests requests;
    private final ExecutorService blocking;

    StatusRoutes(
            ReportFinder reports,
            StatusResponses statuses,
            AcceptedRequests requests,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reports = reports;
        this.statuses = statuses;
        this.requests = requests;
        this.blocking = blocking;
    }

    /**
     * Most requests ask for what is in memory and are answered on the event loop; the others on a
     * thread that may read the disk, and wait.
     */
    @Get("/request-status/{reportId}")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters({"min_sequence", "wait"})
    CompletionStage<HttpResponse<byte[]>> requestStatus(HttpRequest<?> http, @PathVariable String reportId) {
        List<String> errors = new ArrayList<>();
        int least = QueryParameters.integer(http, "min_sequence", 0, Integer.MAX_VALUE, 0, errors);
        int wait = QueryParameters.integer(http, "wait", 0, LONGEST_WAIT, preferredWait(http), errors);
        RefusedException.ifAny(errors);
        Caller caller = ApiKeyFilter.caller(http);
        Optional<ReportView> known = reports.cached(caller, reportId)
                .filter(r -> r.sequence() >= least && !r.mayBeRetried())
                .filter(r -> wait == 0 || r.word() != Status.PROCESSING);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(statuses.answer(known.get().status()));
        }
        return CompletableFuture.supplyAsync(
                () -> waitFor(caller, reportId, least, least, Duration.ofSeconds(wait)), blocking);
    }

    /** Of the header Prefer (RFC 7240), which services that do not know it ignore: libraries send it. */
    private static int preferredWait(HttpRequest<?> http) {
        String prefer = http.getHeaders().get("Prefer");
        if (prefer == null) {
            return 0;
        }
        Matcher wait = WAIT.matcher(prefer);
        return wait.find() ? Math.min(LONGEST_WAIT, Integer.parseInt(wait.group(1))) : 0;
    }

    /**
     * The status once the report has ended, or when the time is over. Blocks.
     *
     * @throws RefusedException if the account has no such report, or that cannot be found out
     */
    public HttpResponse<byte[]> awaitEnd(Caller caller, String reportId, Duration wait) {
        return waitFor(caller, reportId, 0, Integer.MAX_VALUE, wait);
    }

    /**
     * @param minSequence the least change that is answered
     * @param awaited the change that ends the wait, if the report does not end before
     */
    private HttpResponse<byte[]> waitFor(Caller caller, String reportId, int minSequence, int awaited, Duration wait) {
        try {
            boolean waited = wait.isPositive() && reports.awaitChange(caller, reportId, awaited, wait);
            MutableHttpResponse<byte[]> answer = statuses.answer(
                    reports.current(caller, reportId, minSequence).status());
            return waited ? answer.header("Preference-Applied", "wait=" + wait.toSeconds()) : answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return JsonResponses.unavailable(ProblemCode.GATEWAY_STOPPING, "This gateway is stopping; try again.");
        }
    }

    @Get("/request-query/{reportId}")
    @RequiredScopes(KeyScope.READ)
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> requestQuery(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        return query(http, reports.find(ApiKeyFilter.caller(http), reportId), reportId, Map.of());
    }

    /**
     * The request of a report, and its status: some clients of the original API poll this path
     * until it has a {@code download_link}.
     */
    @Get("/request-query")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters("report_id")
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> requestQueryOfParameter(HttpRequest<?> http) throws InterruptedException {
        String reportId = http.getParameters().get("report_id");
        if (reportId == null) {
            return JsonResponses.problem(
                    ProblemCode.INVALID_REQUEST, "report_id: the query parameter is missing; send the id of a report.");
        }
        ReportView report = reports.current(ApiKeyFilter.caller(http), reportId, 0);
        StatusResponse status = statuses.of(report.status());
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("status", status.status());
        Optional.ofNullable(status.downloadUrl()).ifPresent(url -> more.put("download_link", url));
        return query(http, report, reportId, more);
    }

    /** @param more fields of the answer */
    private HttpResponse<?> query(HttpRequest<?> http, ReportView report, String reportId, Map<String, Object> more) {
        return requests.of(report, more)
                .or(() -> again(http, reportId).flatMap(found -> requests.of(found, more)))
                .orElseGet(() -> JsonResponses.unavailable(
                        ProblemCode.KAFKA_UNAVAILABLE, "The request cannot be read at the moment; try again."));
    }

    /** A request's position changes once, when the ledger has decided it. */
    private Optional<ReportView> again(HttpRequest<?> http, String reportId) {
        return reports.known(ApiKeyFilter.caller(http), reportId);
    }
}
