package millrace.processor.ledger.account.state;

import java.time.Instant;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ReportStatus.Failure;
import millrace.contracts.reports.ReportStatus.Progress;
import millrace.contracts.reports.ReportStatus.Receipt;
import millrace.contracts.reports.ReportStatus.Result;
import millrace.contracts.reports.Status;
import org.jspecify.annotations.Nullable;

/** A status with some of its parts replaced. */
record StatusChange(ReportStatus status) {

    /** The next status of the report: one more in sequence, and nothing left of what only the last one had. */
    StatusChange next(Status word, Instant now) {
        ReportStatus s = status;
        return new StatusChange(new ReportStatus(
                s.accountId(),
                s.reportId(),
                s.dataset(),
                word,
                s.dialect(),
                s.attempt(),
                s.sequence() + 1,
                s.submittedAt(),
                now,
                s.estimatedCredits(),
                null,
                null,
                null,
                s.receipt()));
    }

    StatusChange attempt(int attempt) {
        return with(attempt, status.updatedAt(), status.receipt());
    }

    StatusChange at(Instant now) {
        return with(status.attempt(), now, status.receipt());
    }

    StatusChange receipt(Receipt receipt) {
        return with(status.attempt(), status.updatedAt(), receipt);
    }

    StatusChange progress(Progress progress) {
        return with(new Parts(progress, null, null));
    }

    StatusChange result(Result result) {
        return with(new Parts(null, result, null));
    }

    StatusChange error(Failure error) {
        return with(new Parts(null, null, error));
    }

    private record Parts(
            @Nullable Progress progress,
            @Nullable Result result,
            @Nullable Failure error) {}

    private StatusChange with(Parts parts) {
        return with(status.attempt(), status.updatedAt(), status.receipt(), parts);
    }

    private StatusChange with(int attempt, Instant updatedAt, Receipt receipt) {
        return with(attempt, updatedAt, receipt, new Parts(status.progress(), status.result(), status.error()));
    }

    private StatusChange with(int attempt, Instant updatedAt, Receipt receipt, Parts parts) {
        ReportStatus s = status;
        return new StatusChange(new ReportStatus(
                s.accountId(),
                s.reportId(),
                s.dataset(),
                s.status(),
                s.dialect(),
                attempt,
                s.sequence(),
                s.submittedAt(),
                updatedAt,
                s.estimatedCredits(),
                parts.progress,
                parts.result,
                parts.error,
                receipt));
    }
}
