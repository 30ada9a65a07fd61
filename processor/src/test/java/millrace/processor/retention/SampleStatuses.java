package millrace.processor.retention;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportParts;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;

/** Sample statuses of reports. */
final class SampleStatuses {
    static final Instant NOW = Instant.parse("2026-11-02T08:00:00Z");

    private SampleStatuses() {}

    static ReportStatus processing(UUID id) {
        return new ReportStatus(
                "acme",
                id,
                "keywords",
                Status.PROCESSING,
                ApiDialect.V3,
                1,
                1,
                NOW,
                NOW,
                9,
                new ReportStatus.Progress(ReportPhase.RENDERING, 0.5),
                null,
                null,
                new ReportStatus.Receipt(9, 0, 0, "1 credit per result", List.of()));
    }

    static ReportStatus complete(UUID id, String file, Instant expiresAt) {
        var result = new ReportStatus.Result(new ResultCounts(1, 1, 0), 1, new StoredFile(file, 1, "0"), expiresAt);
        return processing(id).completed(result, NOW);
    }

    /** A report in more parts than its status lists. */
    static ReportStatus inParts(UUID id, String manifest, Instant expiresAt) {
        var result = new ReportStatus.Result(
                new ResultCounts(1, 1, 0),
                1,
                new StoredFile(manifest, 1, "0"),
                expiresAt,
                new ReportParts(21, 1, null));
        return processing(id).completed(result, NOW);
    }

    static ReportStatus failed(UUID id) {
        var failure = new ReportStatus.Failure(ErrorCode.RENDER_FAILED, "The data could not be read.", true);
        return processing(id).failed(1, failure, NOW);
    }
}
