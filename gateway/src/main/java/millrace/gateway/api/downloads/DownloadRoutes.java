package millrace.gateway.api.downloads;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.reports.ReportStatus;
import millrace.files.SignedLinks;
import millrace.gateway.access.AccessCheck;
import millrace.gateway.api.status.DownloadLinks;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;

/** Serves report files. A signed link replaces the API key. */
@Controller(SignedLinks.PATH)
@BlockingRoutes
final class DownloadRoutes {
    private static final String ALTERED = "The link is not one that was signed here; take the download_url as it is.";

    private final AccessCheck accessCheck;
    private final DownloadLinks links;
    private final ReadModel model;
    private final FileResponses files;
    private final ReportFiles parts;
    private final InstantSource clock;

    DownloadRoutes(
            AccessCheck accessCheck,
            DownloadLinks links,
            ReadModel model,
            FileResponses files,
            ReportFiles parts,
            InstantSource clock) {
        this.accessCheck = accessCheck;
        this.links = links;
        this.model = model;
        this.files = files;
        this.parts = parts;
        this.clock = clock;
    }

    @Get("/{reportId}")
    @TakesParameters({"file", "expires", "signature"})
    HttpResponse<?> download(HttpRequest<?> http, @PathVariable String reportId) throws IOException {
        var parameters = http.getParameters();
        Optional<UUID> id = QueryParameters.reportId(reportId);
        @Nullable String file = parameters.get("file");
        @Nullable String expires = parameters.get("expires");
        @Nullable String signature = parameters.get("signature");
        if (id.isEmpty() || file == null || expires == null || signature == null) {
            return JsonResponses.problem(ProblemCode.LINK_ALTERED, ALTERED);
        }
        return switch (links.check(id.get(), file, expires, signature, clock.instant())) {
            case SignedLinks.Verdict.Altered() -> JsonResponses.problem(ProblemCode.LINK_ALTERED, ALTERED);
            case SignedLinks.Verdict.Expired(Instant since) ->
                JsonResponses.problem(ProblemCode.LINK_EXPIRED, "The link has expired at " + since + ".");
            case SignedLinks.Verdict.Valid() -> file(http, id.get(), file);
        };
    }

    private HttpResponse<?> file(HttpRequest<?> http, UUID id, String name) throws IOException {
        var notReady = accessCheck.ready();
        if (notReady.isPresent()) {
            return notReady.get();
        }
        ReportStatus report = model.report(id).map(ReportView::status).orElse(null);
        ReportStatus.Result result = report == null ? null : report.result();
        if (report == null || result == null) {
            return JsonResponses.fileGone();
        }
        Optional<Download> download;
        try {
            download = download(report, result, name);
        } catch (NoSuchFileException e) {
            return JsonResponses.fileGone();
        } catch (IOException e) {
            return CompleteReports.unreadable(result, e);
        }
        return download.isPresent() ? files.answer(http, report, download.get()) : JsonResponses.fileGone();
    }

    private Optional<Download> download(ReportStatus report, ReportStatus.Result result, String name)
            throws IOException {
        return result.parts() != null && result.file().name().equals(name)
                ? Optional.of(Download.ofManifest(report, name, parts.servedManifest(report, result)))
                : parts.find(report, result, name).map(Download::of);
    }
}
