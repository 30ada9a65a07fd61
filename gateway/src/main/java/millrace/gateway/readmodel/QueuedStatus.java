package millrace.gateway.readmodel;

import java.util.List;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;

/** The status of a report that has been accepted and that the ledger has not seen. */
final class QueuedStatus {
    private QueuedStatus() {}

    static ReportStatus status(String accountId, RequestReport r) {
        return new ReportStatus(
                accountId,
                r.reportId(),
                r.request().query().dataset(),
                Status.PROCESSING,
                r.request().dialect(),
                1,
                0,
                r.submittedAt(),
                r.submittedAt(),
                r.quote().credits(),
                new ReportStatus.Progress(ReportPhase.QUEUED, 0),
                null,
                null,
                new ReportStatus.Receipt(0, 0, 0, r.quote().rule().words(), List.of()));
    }
}
