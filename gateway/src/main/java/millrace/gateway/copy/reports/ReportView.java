package millrace.gateway.copy.reports;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import org.jspecify.annotations.Nullable;

/** A known report at one moment. */
public final class ReportView {
    private final @Nullable StoredReport stored;
    private final @Nullable PendingReport pending;
    private final Function<UUID, Optional<RequestPosition>> requests;

    private ReportView(
            @Nullable StoredReport stored,
            @Nullable PendingReport pending,
            Function<UUID, Optional<RequestPosition>> requests) {
        this.stored = stored;
        this.pending = pending;
        this.requests = requests;
    }

    /**
     * Empty where there is no status.
     *
     * @param requests finds a request that was read
     */
    static Optional<ReportView> of(
            @Nullable StoredReport stored,
            @Nullable PendingReport pending,
            Function<UUID, Optional<RequestPosition>> requests) {
        boolean known = stored != null || (pending != null && pending.undecided() != null);
        return known ? Optional.of(new ReportView(stored, pending, requests)) : Optional.empty();
    }

    public String accountId() {
        return stored == null ? undecided().accountId() : stored.accountId();
    }

    public String dataset() {
        return stored == null ? undecided().dataset() : stored.dataset();
    }

    /** The status' word, without reading the rest. */
    public Status word() {
        return stored == null || retried() ? Status.PROCESSING : stored.status();
    }

    /** How it ended, without reading the rest; null while it is processing. */
    public @Nullable Outcome outcome() {
        return stored == null || retried() ? null : stored.outcome();
    }

    /** The client's name for it, without reading the rest; empty if it has none. */
    public String name() {
        String name = stored == null ? undecided().reportName() : stored.name();
        return name == null ? "" : name;
    }

    /** Without reading the rest. */
    public Map<String, String> tags() {
        if (stored != null) {
            return stored.tags();
        }
        Map<String, String> tags = undecided().tags();
        return tags == null ? Map.of() : tags;
    }

    /** Whether another gateway may have accepted a retry that this one has not read yet. */
    public boolean mayBeRetried() {
        return word() == Status.INTERNAL_ERROR && stored != null && stored.retryable();
    }

    /** Whether the ledger has decided the newest command of the report. */
    public boolean decided() {
        return stored != null && !retried();
    }

    public int sequence() {
        return stored == null ? 0 : stored.sequence();
    }

    /** The attempt that is under way or was the last. */
    int attempt() {
        int asked = pending == null ? 0 : pending.retryAttempt();
        return Math.max(asked, stored == null ? undecided().attempt() : stored.attempt());
    }

    public ReportStatus status() {
        if (stored == null) {
            return undecided();
        }
        ReportStatus last = stored.decoded();
        return pending != null && retried() ? last.undecidedRetry(pending.retryAttempt()) : last;
    }

    /** Where its request is in Kafka. May read the disk. */
    public Optional<RequestPosition> request() {
        return Optional.ofNullable(stored)
                .map(StoredReport::request)
                .map(StoredReports.Request::position)
                .or(() -> requests.apply(cursor().reportId()))
                .or(() -> Optional.ofNullable(pending).map(PendingReport::request));
    }

    public HistoryCursor cursor() {
        return stored == null
                ? new HistoryCursor(
                        undecided().submittedAt().toEpochMilli(), undecided().reportId())
                : stored.place();
    }

    private boolean retried() {
        return pending != null && pending.retries(stored);
    }

    private ReportStatus undecided() {
        if (pending == null || pending.undecided() == null) {
            throw new IllegalStateException("a report without a status");
        }
        return pending.undecided();
    }
}
