package millrace.gateway.api.status;

import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StatusResponse;
import millrace.contracts.reports.StoredFile;
import millrace.gateway.admission.CompletionRate;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.server.JsonResponses;
import org.jspecify.annotations.Nullable;

/** Builds the status of a report as clients see it, with its download link and Retry-After. */
@Singleton
public final class StatusResponses {
    private final ReadModel model;
    private final DownloadLinks links;
    private final CompletionRate completionRate;
    private final InstantSource clock;

    StatusResponses(ReadModel model, DownloadLinks links, CompletionRate completionRate, InstantSource clock) {
        this.model = model;
        this.links = links;
        this.completionRate = completionRate;
        this.clock = clock;
    }

    MutableHttpResponse<byte[]> answer(ReportStatus report) {
        var answer = JsonResponses.ok(of(report));
        return report.status() == Status.PROCESSING ? JsonResponses.retryAfter(answer, wait(report)) : answer;
    }

    /** The status as request-status answers it. */
    public StatusResponse of(ReportStatus report) {
        return StatusResponse.of(report, links(report), clock.instant());
    }

    StatusResponse inHistory(ReportStatus report) {
        return StatusResponse.inHistory(report, links(report), clock.instant());
    }

    private @Nullable Function<StoredFile, @Nullable String> links(ReportStatus report) {
        ReportStatus.Result result = report.result();
        return result == null
                ? null
                : file -> links.of(report.reportId(), file, result.expiresAt()).toString();
    }

    private Duration wait(ReportStatus report) {
        ReportStatus.Progress progress = report.progress();
        if (progress == null || progress.phase() == ReportPhase.QUEUED) {
            return completionRate.untilCompleted(model.open());
        }
        return CompletionRate.untilCompleted(
                Duration.between(report.submittedAt(), clock.instant()), progress.fraction());
    }
}
