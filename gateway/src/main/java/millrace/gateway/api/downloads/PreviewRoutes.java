package millrace.gateway.api.downloads;

import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.server.types.files.StreamedFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FileFormat;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.status.ReportFinder;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;

/** Answers with the first rows of a complete report. */
@Controller("/v3/batch")
@BlockingRoutes
public final class PreviewRoutes {
    private static final int ROWS = 100;
    private static final int MOST = 5_000;

    private final ReportFinder reports;
    private final ReportPreviews previews;
    private final ReportFiles files;
    private final InstantSource clock;
    private final PreviewSlots slots = new PreviewSlots(System::nanoTime);

    PreviewRoutes(ReportFinder reports, ReportPreviews previews, ReportFiles files, InstantSource clock) {
        this.reports = reports;
        this.previews = previews;
        this.files = files;
        this.clock = clock;
    }

    @Get("/preview/{reportId}")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters("rows")
    HttpResponse<?> preview(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        List<String> errors = new ArrayList<>();
        int rows = QueryParameters.integer(http, "rows", 1, MOST, ROWS, errors);
        RefusedException.ifAny(errors);
        return preview(ApiKeyFilter.caller(http), reportId, rows, http.getMethod() == HttpMethod.HEAD);
    }

    /**
     * The first rows as a {@link StreamedFile}, which whoever reads it closes, or why there are none.
     *
     * @param rows from 1 to 5,000
     * @param headOnly whether no rows are read
     * @throws RefusedException if the account has no such report, or it has no rows to show
     */
    public HttpResponse<?> preview(Caller caller, String reportId, int rows, boolean headOnly)
            throws InterruptedException {
        ReportStatus report = reports.current(caller, reportId, 0).status();
        ReportStatus.Result result = CompleteReports.result(report, clock.instant());
        try {
            if (headOnly) {
                var unused = shown(report, result);
                return HttpResponse.ok().contentType(MediaType.APPLICATION_JSON_TYPE);
            }
            Optional<PreviewSlots.Slot> slot = slots.take(caller.accountId());
            return slot.isPresent() ? answer(report, result, rows, slot.get()) : tooMany();
        } catch (NoSuchFileException e) {
            return JsonResponses.fileGone();
        } catch (IOException e) {
            return CompleteReports.unreadable(result, e);
        }
    }

    /** The file whose rows are shown. */
    private StoredFile shown(ReportStatus report, ReportStatus.Result result) throws IOException {
        StoredFile file = files.firstWithRows(report, result);
        if (FileFormat.ofName(file.name()).form() == FileFormat.Form.PARQUET) {
            throw new RefusedException(
                    ProblemCode.PREVIEW_NOT_SUPPORTED,
                    "report_id: the report's response_format is parquet; a preview needs csv or json.");
        }
        return file;
    }

    /** If this throws, the slot has ended. */
    private HttpResponse<?> answer(ReportStatus report, ReportStatus.Result result, int rows, PreviewSlots.Slot slot)
            throws IOException {
        StoredFile file;
        try {
            file = shown(report, result);
        } catch (IOException | RuntimeException e) {
            slot.close();
            throw e;
        }
        return HttpResponse.ok(
                new StreamedFile(previews.open(report, result, file, rows, slot), MediaType.APPLICATION_JSON_TYPE));
    }

    private static HttpResponse<?> tooMany() {
        return JsonResponses.retryAfter(
                JsonResponses.problem(
                        ProblemCode.TOO_MANY_PREVIEWS,
                        "An account may read " + PreviewSlots.OF_ACCOUNT
                                + " previews at once, and all together " + PreviewSlots.IN_ALL
                                + "; this is one more."),
                Duration.ofSeconds(1));
    }
}
