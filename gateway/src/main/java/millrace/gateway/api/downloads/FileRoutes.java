package millrace.gateway.api.downloads;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StatusResponse.PartResponse;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.status.ReportFinder;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;

/** Lists the files of a complete report, in pages. */
@Controller("/v3/batch")
@BlockingRoutes
final class FileRoutes {
    private static final int LIMIT = 100;
    private static final int MOST = 1_000;

    private final ReportFinder reports;
    private final ReportFiles files;
    private final InstantSource clock;

    FileRoutes(ReportFinder reports, ReportFiles files, InstantSource clock) {
        this.reports = reports;
        this.files = files;
        this.clock = clock;
    }

    /** @param nextCursor null on the last page */
    private record Page(
            List<PartResponse> files, @JsonInclude @Nullable String nextCursor) {}

    @Get("/files/{reportId}")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters({"limit", "cursor"})
    HttpResponse<byte[]> files(HttpRequest<?> http, @PathVariable String reportId) throws InterruptedException {
        List<String> errors = new ArrayList<>();
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        int first = QueryParameters.cursor(http, FileRoutes::place, errors).orElse(0);
        RefusedException.ifAny(errors);
        ReportStatus report =
                reports.current(ApiKeyFilter.caller(http), reportId, 0).status();
        ReportStatus.Result result = CompleteReports.result(report, clock.instant());
        try {
            List<ReportPart> all = files.of(report, result);
            int from = Math.min(first, all.size());
            int to = Math.min(from + limit, all.size());
            return JsonResponses.ok(new Page(
                    all.subList(from, to).stream()
                            .map(part -> files.shown(report, result, part))
                            .toList(),
                    to < all.size() ? Integer.toString(to) : null));
        } catch (NoSuchFileException e) {
            return JsonResponses.fileGone();
        } catch (IOException e) {
            throw new RefusedException(CompleteReports.unreadable(result, e));
        }
    }

    /** How many files come before the page. */
    private static Optional<Integer> place(String text) {
        return text.matches("[0-9]{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }
}
