package millrace.gateway.api.downloads;

import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.FileFormat;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.status.ReportFinder;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers with the first rows of a complete report. */
@Controller("/v3/batch")
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class PreviewRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(PreviewRoutes.class);
    private static final int ROWS = 100;
    private static final int MOST = 5_000;

    private final ReportFinder reports;
    private final ReportPreviews previews;
    private final InstantSource clock;
    private final PreviewSlots slots = new PreviewSlots(System::nanoTime);

    PreviewRoutes(ReportFinder reports, ReportPreviews previews, InstantSource clock) {
        this.reports = reports;
        this.previews = previews;
        this.clock = clock;
    }

    @Get("/preview/{reportId}")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters("rows")
    HttpResponse<?> preview(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        List<String> errors = new ArrayList<>();
        int rows = QueryParameters.integer(http, "rows", 1, MOST, ROWS, errors);
        RefusedException.ifAny(errors);
        Caller caller = ApiKeyFilter.caller(http);
        ReportStatus report = reports.current(caller, reportId, 0).status();
        ReportStatus.Result result = report.result();
        if (result == null) {
            throw new RefusedException(
                    ProblemCode.REPORT_NOT_COMPLETE,
                    "The report is " + report.status().word() + "; only complete reports have rows to show.");
        }
        if (!clock.instant().isBefore(result.expiresAt())) {
            throw new RefusedException(
                    ProblemCode.LINK_EXPIRED, "The report's file has expired at " + result.expiresAt() + ".");
        }
        if (FileFormat.ofName(result.file().name()).form() == FileFormat.Form.PARQUET) {
            throw new RefusedException(
                    ProblemCode.PREVIEW_NOT_SUPPORTED,
                    "report_id: the report's response_format is parquet; a preview needs csv or json.");
        }
        return answer(http, caller, report, result, rows);
    }

    private MutableHttpResponse<?> answer(
            HttpRequest<?> http, Caller caller, ReportStatus report, ReportStatus.Result result, int rows) {
        if (http.getMethod() == HttpMethod.HEAD) {
            return HttpResponse.ok().contentType(MediaType.APPLICATION_JSON_TYPE);
        }
        Optional<PreviewSlots.Slot> slot = slots.take(caller.accountId());
        return slot.isPresent()
                ? opened(report, result, rows, slot.get())
                : JsonResponses.retryAfter(
                        JsonResponses.problem(
                                ProblemCode.TOO_MANY_PREVIEWS,
                                "An account may read " + PreviewSlots.OF_ACCOUNT
                                        + " previews at once, and all together " + PreviewSlots.IN_ALL
                                        + "; this is one more."),
                        Duration.ofSeconds(1));
    }

    private MutableHttpResponse<?> opened(
            ReportStatus report, ReportStatus.Result result, int rows, PreviewSlots.Slot slot) {
        try {
            PreviewStream preview = previews.open(report, result, rows, slot);
            return HttpResponse.ok(new StreamedFile(preview, MediaType.APPLICATION_JSON_TYPE));
        } catch (NoSuchFileException e) {
            return JsonResponses.fileGone();
        } catch (IOException e) {
            LOG.warn("report file not read file={} error={}", result.file().name(), e.toString());
            return JsonResponses.retryAfter(
                    JsonResponses.problem(
                            ProblemCode.STORAGE_UNAVAILABLE, "The report's file cannot be read at the moment."),
                    Duration.ofSeconds(5));
        }
    }
}
