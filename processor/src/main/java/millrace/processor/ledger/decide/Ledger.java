package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import org.jspecify.annotations.Nullable;

/**
 * Decides the commands and timers of an account. Each decision is recorded as facts in the pending changes. Nothing is
 * decided anywhere else.
 */
public final class Ledger {
    private static final Verdict TAKEN = new Verdict.Taken();

    /** The result of a command. */
    public sealed interface Verdict {
        /** The command was decided. Its facts, if any, are in the pending changes. */
        record Taken() implements Verdict {}

        /** The command is not valid; nothing was changed. */
        record Refused(String reason) implements Verdict {}
    }

    private final LedgerRules rules;
    private final ReportAttempts attempts;
    private final WorkerAnswers answers;
    private final SliceDispatch dispatch;

    public Ledger(LedgerRules rules) {
        this.rules = rules;
        this.dispatch = new SliceDispatch(rules);
        this.attempts = new ReportAttempts(dispatch);
        this.answers = new WorkerAnswers(rules, dispatch);
    }

    /**
     * Decides one command; the caller then gives the {@link #turns} that follow from it.
     *
     * @throws RuntimeException where the command does not fit the state, which is a fault of the program; the pending
     *     changes must be discarded
     */
    public Verdict decide(PendingChanges changes, AccountCommand command) {
        switch (command) {
            case AccountCommand.GrantCredits c
            when c.amount() < 1 -> {
                return new Verdict.Refused("a grant of " + c.amount() + " credits");
            }
            case AccountCommand.ExpireCredits c
            when c.amount() < 1 -> {
                return new Verdict.Refused("an expiry of " + c.amount() + " credits");
            }
            case AccountCommand.RequestReport c
            when Math.min(c.quote().credits(), c.expectedQuote().credits()) < 0 -> {
                return new Verdict.Refused("a quote of less than 0 credits");
            }
            case AccountCommand.GrantCredits c -> grant(changes, c);
            case AccountCommand.ExpireCredits c -> expire(changes, c);
            case AccountCommand.RequestReport c -> attempts.request(changes, c);
            case AccountCommand.RetryReport c -> attempts.retry(changes, c);
            case AccountCommand.CancelReport c -> attempts.cancel(changes, c);
            case AccountCommand.EraseReport c -> erase(changes, c.reportId());
            case AccountCommand.SliceRunning c -> answers.running(changes, c);
            case AccountCommand.SliceDone c -> answers.done(changes, c);
            case AccountCommand.SliceFailed c -> answers.failed(changes, c);
            case AccountCommand.Assembled c -> answers.assembled(changes, c);
        }
        return TAKEN;
    }

    /**
     * Hands out waiting slices as long as the limits allow.
     *
     * @throws RuntimeException where a turn fails; the pending changes must be discarded
     */
    public void turns(PendingChanges changes) {
        while (dispatch.turnIsDue(changes.account())) {
            dispatch.turn(changes);
        }
    }

    /** Whether a report waits for a turn and the limits allow one. */
    public boolean turnIsDue(LedgerAccount account) {
        return dispatch.turnIsDue(account);
    }

    /** Gives the next turn; a {@link #turnIsDue turn must be due}. */
    public Verdict turn(PendingChanges changes) {
        dispatch.turn(changes);
        return TAKEN;
    }

    /** Ends the report whose turn failed. Where its ticket is lost, the turn is skipped. */
    public Verdict endTurn(PendingChanges changes) {
        dispatch.endTurn(changes);
        return TAKEN;
    }

    /** Skips the next turn, whichever report it belongs to. */
    public Verdict skipTurn(PendingChanges changes) {
        dispatch.skipTurn(changes);
        return TAKEN;
    }

    /**
     * Ends the report of a command that could not be decided, because its client was told that the report is accepted.
     * For a report that is open already nothing is done, since its leases end it.
     */
    public Verdict abandon(PendingChanges changes, AccountCommand command) {
        switch (command) {
            case AccountCommand.RequestReport c -> attempts.abandon(changes, c);
            case AccountCommand.RetryReport c -> attempts.abandon(changes, c);
            case AccountCommand.GrantCredits c -> {}
            case AccountCommand.ExpireCredits c -> {}
            case AccountCommand.CancelReport c -> {}
            case AccountCommand.EraseReport c -> {}
            case AccountCommand.SliceRunning c -> {}
            case AccountCommand.SliceDone c -> {}
            case AccountCommand.SliceFailed c -> {}
            case AccountCommand.Assembled c -> {}
        }
        return TAKEN;
    }

    /** Ends an open report that {@link #tick(PendingChanges, UUID)} could not decide. */
    public Verdict abandon(PendingChanges changes, UUID reportId) {
        LedgerReport report = changes.reports().get(reportId);
        if (report != null && report.open()) {
            ReportAttempts.abandon(changes, report);
        }
        return TAKEN;
    }

    /** Does what is due for the account, for example its opening entry. */
    public Verdict tick(PendingChanges changes) {
        if (reached(due(changes.account()), changes.agenda())) {
            LedgerAccount account = changes.account();
            String id = "opening." + account.id() + "." + (account.ledgerSequence() + 1);
            changes.record(new Fact.Entered(
                    LedgerEntry.Kind.OPENING, id, null, account.balance().remaining()));
        }
        return TAKEN;
    }

    /**
     * Does what is due for a report of the account: lost slices are handed out again, an old report is forgotten. Turns
     * may follow.
     */
    public Verdict tick(PendingChanges changes, UUID reportId) {
        return tick(changes, reportId, changes.agenda());
    }

    private Verdict tick(PendingChanges changes, UUID reportId, Instant now) {
        LedgerReport report = changes.reports().get(reportId);
        if (report != null && report.open()) {
            answers.expire(changes, reportId);
            return TAKEN;
        }
        EndedReport ended = ended(changes, reportId);
        if (ended != null && !ended.knownUntil().isAfter(now)) {
            FileRetention.forget(changes, ended);
            changes.record(new Fact.Forgotten(reportId));
        }
        return TAKEN;
    }

    /** Does what is {@link EndedReport#due} for a report that is over: its file is deleted, or it is forgotten. */
    public Verdict tickEnded(PendingChanges changes, UUID reportId) {
        var unused = tick(changes, reportId, changes.now());
        FileRetention.expire(changes, reportId);
        return TAKEN;
    }

    /**
     * What is kept of a report that {@link LedgerReport#over is over}.
     *
     * @param request null where it is lost
     */
    public EndedReport ended(LedgerReport report, AccountCommand.@Nullable RequestReport request) {
        return FileRetention.ended(report, request, knownUntil(report));
    }

    /** When a report that has ended is forgotten. */
    public Instant knownUntil(LedgerReport report) {
        return report.knownUntil(rules.times().reports());
    }

    /** When {@link #tick(PendingChanges)} is due. */
    public Optional<Instant> due(LedgerAccount account) {
        return Optional.ofNullable(account.openedAt())
                .map(at -> at.plus(rules.times().opening()));
    }

    /**
     * When {@link #tick(PendingChanges, UUID)} is due, unless the report changes before; empty for a report that is over,
     * of which {@link EndedReport#due} says it.
     */
    public Optional<Instant> due(LedgerReport report) {
        OpenAttempt work = report.work();
        if (work != null) {
            return work.firstDue();
        }
        return report.over() ? Optional.empty() : Optional.of(knownUntil(report));
    }

    private @Nullable EndedReport ended(PendingChanges changes, UUID reportId) {
        LedgerReport report = changes.reports().get(reportId);
        return report == null
                ? changes.ended().get(reportId)
                : ended(report, changes.requests().get(reportId));
    }

    /**
     * Deletes what is kept of a report that has ended. Its id, and that of its Idempotency-Key, stay until it is
     * forgotten: its id is made again from the same request on the same day, and must not come twice.
     */
    private void erase(PendingChanges changes, UUID reportId) {
        LedgerReport report = changes.reports().get(reportId);
        EndedReport ended = report != null && report.open() ? null : ended(changes, reportId);
        if (ended != null) {
            FileRetention.forget(changes, ended);
            changes.record(new Fact.Erased(reportId));
        }
    }

    private static boolean reached(Optional<Instant> due, Instant now) {
        return due.isPresent() && !due.get().isAfter(now);
    }

    private static void grant(PendingChanges changes, AccountCommand.GrantCredits c) {
        if (changes.grants().get(c.grantId()) == null) {
            changes.record(new Fact.Granted(c.grantId()));
            changes.record(new Fact.Entered(LedgerEntry.Kind.GRANT, c.grantId(), null, c.amount()));
        }
    }

    private static void expire(PendingChanges changes, AccountCommand.ExpireCredits c) {
        if (changes.grants().get(c.expiryId()) == null) {
            long amount = Math.min(c.amount(), changes.account().balance().remaining());
            changes.record(new Fact.Granted(c.expiryId()));
            changes.record(new Fact.Entered(LedgerEntry.Kind.EXPIRY, c.expiryId(), null, amount));
        }
    }
}
