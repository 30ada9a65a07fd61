package millrace.gateway.api.downloads;

import io.micronaut.http.MutableHttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import millrace.contracts.reports.ReportStatus;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.RefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What routes about the files of a report need of it, and what they answer if it has none. */
final class CompleteReports {
    private static final Logger LOG = LoggerFactory.getLogger(CompleteReports.class);

    private CompleteReports() {}

    /**
     * The result of a report whose files are there.
     *
     * @throws RefusedException if it is not complete, or has expired
     */
    static ReportStatus.Result result(ReportStatus report, Instant now) {
        ReportStatus.Result result = report.result();
        if (result == null) {
            throw new RefusedException(
                    ProblemCode.REPORT_NOT_COMPLETE,
                    "The report is " + report.status().word() + "; only complete reports have files and rows to show.");
        }
        if (!now.isBefore(result.expiresAt())) {
            throw new RefusedException(
                    ProblemCode.LINK_EXPIRED, "The report's file has expired at " + result.expiresAt() + ".");
        }
        return result;
    }

    /** The answer if the storage cannot be reached. */
    static MutableHttpResponse<byte[]> unreadable(ReportStatus.Result result, IOException error) {
        LOG.warn("report file not read file={} error={}", result.file().name(), error.toString());
        return JsonResponses.retryAfter(
                JsonResponses.problem(
                        ProblemCode.STORAGE_UNAVAILABLE, "The report's file cannot be read at the moment."),
                Duration.ofSeconds(5));
    }
}
