package millrace.processor.ledger.decide;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion.Reason;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportParts;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import org.jspecify.annotations.Nullable;

/** Begins and ends the attempts of reports: requests, retries, cancellations, settlements and failures. */
final class ReportAttempts {
    private static final String NO_PLAN = "the report could not be planned";

    private final SliceDispatch dispatch;

    ReportAttempts(SliceDispatch dispatch) {
        this.dispatch = dispatch;
    }

    void request(PendingChanges changes, AccountCommand.RequestReport c) {
        if (changes.isKnown(c.reportId())) {
            return;
        }
        changes.record(new Fact.Accepted(c));
        AccountCommand.Idempotency key = c.idempotency();
        if (key != null) {
            if (changes.isClaimed(key.keyHash())) {
                refuse(
                        changes,
                        c.reportId(),
                        1,
                        ErrorCode.IDEMPOTENCY_CONFLICT,
                        "another request took the same Idempotency-Key first");
                return;
            }
            changes.record(new Fact.Claimed(key.keyHash(), c.reportId()));
        }
        begin(changes, c.reportId(), 1);
    }

    void retry(PendingChanges changes, AccountCommand.RetryReport c) {
        LedgerReport report = changes.reports().get(c.reportId());
        if (report != null && canBeRetried(report, c)) {
            begin(changes, c.reportId(), c.attempt());
        }
    }

    void cancel(PendingChanges changes, AccountCommand.CancelReport c) {
        LedgerReport report = changes.reports().get(c.reportId());
        if (report != null && report.open()) {
            fail(changes, report, failure(report.attempt(), ErrorCode.CANCELLED, "cancelled on request", null));
        }
    }

    void abandon(PendingChanges changes, AccountCommand.RequestReport c) {
        if (!changes.isKnown(c.reportId())) {
            changes.record(new Fact.Accepted(c));
            abandon(changes, c.reportId(), 1);
        }
    }

    void abandon(PendingChanges changes, AccountCommand.RetryReport c) {
        LedgerReport report = changes.reports().get(c.reportId());
        if (report != null && canBeRetried(report, c)) {
            abandon(changes, c.reportId(), c.attempt());
        }
    }

    static void abandon(PendingChanges changes, LedgerReport report) {
        fail(changes, report, new ReportStatus.Failure(ErrorCode.RENDER_FAILED, NO_PLAN, false));
    }

    private static void abandon(PendingChanges changes, UUID id, int attempt) {
        changes.record(new Fact.Failed(id, attempt, new ReportStatus.Failure(ErrorCode.RENDER_FAILED, NO_PLAN, false)));
    }

    private static boolean canBeRetried(LedgerReport report, AccountCommand.RetryReport c) {
        ReportStatus.Failure error = report.status().error();
        return report.status().status() == Status.INTERNAL_ERROR
                && error != null
                && error.retryable()
                && c.attempt() == report.attempt() + 1;
    }

    private void begin(PendingChanges changes, UUID id, int attempt) {
        AccountCommand.RequestReport request = changes.request(id);
        String dataset = request.request().query().dataset();
        Optional<AccountReader.DataVersion> version = changes.dataVersion(dataset, request.pinnedVersion());
        if (version.isEmpty()) {
            refuse(changes, id, attempt, ErrorCode.DATASET_UNAVAILABLE, "there are no data of " + dataset);
            return;
        }
        Quote quote = request.quote(version.get().name());
        if (!quote.equals(changes.report(id).quote())) {
            changes.record(new Fact.Quoted(id, quote));
        }
        Optional<String> missing =
                missing(quote.credits(), changes.account().balance().remaining(), request);
        if (missing.isPresent()) {
            refuse(changes, id, attempt, ErrorCode.INSUFFICIENT_CREDITS, missing.get());
            return;
        }
        changes.record(new Fact.Entered(
                LedgerEntry.Kind.RESERVATION, id + "." + attempt + ".reservation", id, quote.credits()));
        changes.record(dispatch.plan(changes.report(id), request, attempt, version.get()));
        dispatch.offer(changes, id);
    }

    /** Why so many credits cannot be reserved; empty where they can. */
    private static Optional<String> missing(long credits, long remaining, AccountCommand.RequestReport request) {
        String why = credits == request.expectedQuote().credits()
                ? ""
                : "; its names were looked up in other data, so all of them count";
        Long most = request.request().maxCredits();
        if (most != null && credits > most) {
            return Optional.of("the report needs " + credits + " credits, above its max_credits of " + most + why);
        }
        return credits > remaining
                ? Optional.of("the report needs " + credits + " credits, " + remaining + " remain" + why)
                : Optional.empty();
    }

    /**
     * Ends an open attempt with a file. Charges its results, never more than was reserved, and releases the rest.
     *
     * @param parts whose manifest the file is, or null
     */
    static void settle(
            PendingChanges changes,
            LedgerReport report,
            StoredFile file,
            @Nullable ReportParts parts,
            LedgerRules.Times times) {
        long reserved = report.quote().credits();
        long price =
                Math.min(reserved, report.quote().rule().price(report.openWork().totals()));
        enter(changes, report, LedgerEntry.Kind.SETTLEMENT, price);
        if (reserved > price) {
            enter(changes, report, LedgerEntry.Kind.RELEASE, reserved - price);
        }
        var result = new ReportStatus.Result(
                report.openWork().totals(),
                price,
                file,
                changes.now().plus(times.files(report.retentionDays())),
                parts);
        List<String> slices = FileRetention.ofCompleted(changes, report, file);
        changes.record(new Fact.Completed(report.id(), result));
        FileRetention.record(changes, report.id(), Reason.ASSEMBLED, slices);
    }

    /** Ends an open attempt with an error. Nothing is charged. */
    static void fail(PendingChanges changes, LedgerReport report, ReportStatus.Failure failure) {
        release(changes, report);
        List<String> files = FileRetention.ofFailed(changes, report);
        changes.record(new Fact.Failed(report.id(), report.attempt(), failure));
        FileRetention.record(changes, report.id(), Reason.FAILED, files);
    }

    private static void release(PendingChanges changes, LedgerReport report) {
        if (report.quote().credits() > 0) {
            enter(changes, report, LedgerEntry.Kind.RELEASE, report.quote().credits());
        }
    }

    /** Ends an attempt that has not begun. */
    private static void refuse(PendingChanges changes, UUID id, int attempt, ErrorCode code, String message) {
        changes.record(new Fact.Failed(id, attempt, failure(attempt, code, message, null)));
    }

    /**
     * An error after which the report may be retried, unless that was its last attempt.
     *
     * @param cause for operators, or null
     */
    static ReportStatus.Failure failure(int attempt, ErrorCode code, String message, @Nullable String cause) {
        return new ReportStatus.Failure(code, message, code.retryable() && attempt < ReportStatus.MOST_ATTEMPTS, cause);
    }

    private static void enter(PendingChanges changes, LedgerReport report, LedgerEntry.Kind kind, long amount) {
        String word =
                switch (kind) {
                    case SETTLEMENT -> "settlement";
                    case RELEASE -> "release";
                    case OPENING, GRANT, EXPIRY, RESERVATION ->
                        throw new IllegalArgumentException(kind + " ends no attempt");
                };
        changes.record(new Fact.Entered(kind, report.id() + "." + report.attempt() + "." + word, report.id(), amount));
    }
}
