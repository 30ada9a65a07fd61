package millrace.gateway.readmodel;

import java.util.Optional;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;

/** A known report at one moment. */
public final class ReportView {
    private final ReportEntry report;

    ReportView(ReportEntry report) {
        this.report = report;
    }

    public String accountId() {
        return report.accountId();
    }

    public String dataset() {
        return report.dataset();
    }

    /** The status' word, without decompressing the rest. */
    public Status word() {
        return report.open() ? Status.PROCESSING : report.status();
    }

    /** Whether another gateway may have accepted a retry that this one has not read yet. */
    public boolean mayBeRetried() {
        if (word() != Status.INTERNAL_ERROR) {
            return false;
        }
        ReportStatus.Failure error = status().error();
        return error != null && error.retryable();
    }

    /** Whether the ledger has decided the newest command of the report. */
    public boolean decided() {
        return !report.unanswered();
    }

    public int sequence() {
        return report.sequence();
    }

    public ReportStatus status() {
        return report.current();
    }

    public Optional<RequestPosition> request() {
        return Optional.ofNullable(report.request());
    }

    public HistoryCursor cursor() {
        return report.place();
    }
}
