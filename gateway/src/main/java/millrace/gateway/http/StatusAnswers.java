package millrace.gateway.http;

import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import millrace.contracts.Phase;
import millrace.contracts.ReportStatus;
import millrace.contracts.Status;
import millrace.contracts.StatusAnswer;
import millrace.gateway.DownloadLinks;
import millrace.gateway.admission.Pace;
import millrace.gateway.model.ReadModel;
import org.jspecify.annotations.Nullable;

/** Statuses as clients read them, with their download links. */
@Singleton
final class StatusAnswers {
    private final ReadModel model;
    private final DownloadLinks links;
    private final Pace pace;
    private final InstantSource clock;

    StatusAnswers(ReadModel model, DownloadLinks links, Pace pace, InstantSource clock) {
        this.model = model;
        this.links = links;
        this.pace = pace;
        this.clock = clock;
    }

    MutableHttpResponse<byte[]> answer(ReportStatus report) {
        var answer = Answers.ok(StatusAnswer.of(report, link(report), clock.instant()));
        return report.status() == Status.PROCESSING ? Answers.later(answer, wait(report)) : answer;
    }

    StatusAnswer inHistory(ReportStatus report) {
        return StatusAnswer.inHistory(report, link(report), clock.instant());
    }

    private @Nullable String link(ReportStatus report) {
        ReportStatus.Result result = report.result();
        return result == null ? null : links.of(report.reportId(), result).toString();
    }

    private Duration wait(ReportStatus report) {
        ReportStatus.Progress progress = report.progress();
        if (progress == null || progress.phase() == Phase.QUEUED) {
            return pace.untilDone(model.open());
        }
        return Pace.untilDone(Duration.between(report.submittedAt(), clock.instant()), progress.fraction());
    }
}
