package millrace.processor.account;

import java.time.Instant;
import millrace.contracts.ReportStatus;
import millrace.contracts.ReportStatus.Failure;
import millrace.contracts.ReportStatus.Progress;
import millrace.contracts.ReportStatus.Receipt;
import millrace.contracts.ReportStatus.Result;
import millrace.contracts.Status;
import org.jspecify.annotations.Nullable;

/** A status with some of its parts replaced. */
record Change(ReportStatus status) {

    /** The next status of the report: one more in sequence, and nothing left of what only the last one had. */
    Change next(Status word, Instant now) {
        ReportStatus s = status;
        return new Change(new ReportStatus(
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

    Change attempt(int attempt) {
        return with(attempt, status.updatedAt(), status.receipt());
    }

    Change at(Instant now) {
        return with(status.attempt(), now, status.receipt());
    }

    Change receipt(Receipt receipt) {
        return with(status.attempt(), status.updatedAt(), receipt);
    }

    Change progress(Progress progress) {
        return with(new Parts(progress, null, null));
    }

    Change result(Result result) {
        return with(new Parts(null, result, null));
    }

    Change error(Failure error) {
        return with(new Parts(null, null, error));
    }

    private record Parts(
            @Nullable Progress progress,
            @Nullable Result result,
            @Nullable Failure error) {}

    private Change with(Parts parts) {
        return with(status.attempt(), status.updatedAt(), status.receipt(), parts);
    }

    private Change with(int attempt, Instant updatedAt, Receipt receipt) {
        return with(attempt, updatedAt, receipt, new Parts(status.progress(), status.result(), status.error()));
    }

    private Change with(int attempt, Instant updatedAt, Receipt receipt, Parts parts) {
        ReportStatus s = status;
        return new Change(new ReportStatus(
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
