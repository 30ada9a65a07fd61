package millrace.processor.ledger.account;

import java.util.Optional;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.processor.ledger.account.state.Fact;
import millrace.processor.ledger.account.state.LedgerReport;
import millrace.processor.ledger.account.state.PendingChanges;

/** How attempts begin, and how they end. */
final class ReportAttempts {
    private static final String NO_PLAN = "the report could not be planned";

    private final SliceDispatch dispatch;

    ReportAttempts(SliceDispatch dispatch) {
        this.dispatch = dispatch;
    }

    void request(PendingChanges draft, AccountCommand.RequestReport c) {
        if (draft.reports().get(c.reportId()) != null) {
            return;
        }
        draft.record(new Fact.Accepted(c));
        AccountCommand.Idempotency key = c.idempotency();
        if (key != null) {
            UUID claimant = draft.claims().get(key.keyHash());
            if (claimant != null) {
                fail(
                        draft,
                        c.reportId(),
                        1,
                        ErrorCode.IDEMPOTENCY_CONFLICT,
                        "another request took the same Idempotency-Key first");
                return;
            }
            draft.record(new Fact.Claimed(key.keyHash(), c.reportId()));
        }
        begin(draft, c.reportId(), 1);
    }

    void retry(PendingChanges draft, AccountCommand.RetryReport c) {
        LedgerReport report = draft.reports().get(c.reportId());
        if (report != null && canBeRetried(report, c)) {
            begin(draft, c.reportId(), c.attempt());
        }
    }

    void cancel(PendingChanges draft, AccountCommand.CancelReport c) {
        LedgerReport report = draft.reports().get(c.reportId());
        if (report != null && report.open()) {
            fail(draft, report, ErrorCode.CANCELLED, "cancelled on request");
        }
    }

    void abandon(PendingChanges draft, AccountCommand.RequestReport c) {
        if (draft.reports().get(c.reportId()) == null) {
            draft.record(new Fact.Accepted(c));
            abandon(draft, c.reportId(), 1);
        }
    }

    void abandon(PendingChanges draft, AccountCommand.RetryReport c) {
        LedgerReport report = draft.reports().get(c.reportId());
        if (report != null && canBeRetried(report, c)) {
            abandon(draft, c.reportId(), c.attempt());
        }
    }

    static void abandon(PendingChanges draft, LedgerReport report) {
        giveUp(draft, report, ErrorCode.RENDER_FAILED, NO_PLAN);
    }

    private static void abandon(PendingChanges draft, UUID id, int attempt) {
        draft.record(new Fact.Failed(id, attempt, new ReportStatus.Failure(ErrorCode.RENDER_FAILED, NO_PLAN, false)));
    }

    /** Ends an open attempt, and its report for good; nothing is charged. */
    static void giveUp(PendingChanges draft, LedgerReport report, ErrorCode code, String message) {
        release(draft, report);
        draft.record(new Fact.Failed(report.id(), report.attempt(), new ReportStatus.Failure(code, message, false)));
    }

    private static boolean canBeRetried(LedgerReport report, AccountCommand.RetryReport c) {
        ReportStatus.Failure error = report.status().error();
        return report.status().status() == Status.INTERNAL_ERROR
                && error != null
                && error.retryable()
                && c.attempt() == report.attempt() + 1;
    }

    private void begin(PendingChanges draft, UUID id, int attempt) {
        LedgerReport report = draft.report(id);
        long credits = report.quote().credits();
        long remaining = draft.account().balance().remaining();
        String dataset = report.status().dataset();
        if (remaining < credits) {
            String message = "the report needs " + credits + " credits, " + remaining + " remain";
            fail(draft, id, attempt, ErrorCode.INSUFFICIENT_CREDITS, message);
            return;
        }
        Optional<String> version = draft.dataVersion(dataset);
        if (version.isEmpty()) {
            fail(draft, id, attempt, ErrorCode.DATASET_UNAVAILABLE, "there are no data of " + dataset);
            return;
        }
        draft.record(new Fact.Entered(LedgerEntry.Kind.RESERVATION, id + "." + attempt + ".reservation", id, credits));
        draft.record(dispatch.plan(report, draft.request(id), attempt, version.get()));
        dispatch.offer(draft, id);
    }

    /** Charges what the report holds, never more than was reserved, and frees the rest. */
    static void settle(PendingChanges draft, LedgerReport report, StoredFile file, LedgerRules.Times times) {
        long reserved = report.quote().credits();
        long price =
                Math.min(reserved, report.quote().rule().price(report.openWork().totals()));
        enter(draft, report, LedgerEntry.Kind.SETTLEMENT, price);
        if (reserved > price) {
            enter(draft, report, LedgerEntry.Kind.RELEASE, reserved - price);
        }
        var result = new ReportStatus.Result(
                report.openWork().totals(), price, file, draft.now().plus(times.files()));
        draft.record(new Fact.Completed(report.id(), result));
    }

    /** Ends an open attempt; nothing is charged. */
    static void fail(PendingChanges draft, LedgerReport report, ErrorCode code, String message) {
        release(draft, report);
        fail(draft, report.id(), report.attempt(), code, message);
    }

    private static void release(PendingChanges draft, LedgerReport report) {
        if (report.quote().credits() > 0) {
            enter(draft, report, LedgerEntry.Kind.RELEASE, report.quote().credits());
        }
    }

    private static void fail(PendingChanges draft, UUID id, int attempt, ErrorCode code, String message) {
        boolean retryable = code.retryable() && attempt < LedgerRules.ATTEMPTS;
        draft.record(new Fact.Failed(id, attempt, new ReportStatus.Failure(code, message, retryable)));
    }

    private static void enter(PendingChanges draft, LedgerReport report, LedgerEntry.Kind kind, long amount) {
        String word =
                switch (kind) {
                    case SETTLEMENT -> "settlement";
                    case RELEASE -> "release";
                    case OPENING, GRANT, EXPIRY, RESERVATION ->
                        throw new IllegalArgumentException(kind + " ends no attempt");
                };
        draft.record(new Fact.Entered(kind, report.id() + "." + report.attempt() + "." + word, report.id(), amount));
    }
}
