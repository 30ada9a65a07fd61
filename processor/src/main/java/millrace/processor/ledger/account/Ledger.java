package millrace.processor.ledger.account;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.account.state.Fact;
import millrace.processor.ledger.account.state.LedgerAccount;
import millrace.processor.ledger.account.state.LedgerReport;
import millrace.processor.ledger.account.state.OpenAttempt;
import millrace.processor.ledger.account.state.PendingChanges;

/**
 * The rules of the ledger: each command of an account, and the passing of time, become facts in the pending changes. Nothing is
 * decided anywhere else.
 */
public final class Ledger {
    private static final Verdict TAKEN = new Verdict.Taken();

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
     * Decides one command. The {@link #turns} that follow from it are given apart.
     *
     * @throws RuntimeException where the state does not allow for what the command says, which is a fault of the program;
     *     the pending changes must be thrown away
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
            when c.quote().credits() < 0 -> {
                return new Verdict.Refused("a quote of " + c.quote().credits() + " credits");
            }
            case AccountCommand.GrantCredits c -> grant(changes, c);
            case AccountCommand.ExpireCredits c -> expire(changes, c);
            case AccountCommand.RequestReport c -> attempts.request(changes, c);
            case AccountCommand.RetryReport c -> attempts.retry(changes, c);
            case AccountCommand.CancelReport c -> attempts.cancel(changes, c);
            case AccountCommand.SliceRunning c -> answers.running(changes, c);
            case AccountCommand.SliceDone c -> answers.done(changes, c);
            case AccountCommand.SliceFailed c -> answers.failed(changes, c);
            case AccountCommand.Assembled c -> answers.assembled(changes, c);
        }
        return TAKEN;
    }

    /**
     * Hands out what waits, as far as there is room.
     *
     * @throws RuntimeException where a turn cannot be given; the pending changes must be thrown away
     */
    public void turns(PendingChanges changes) {
        while (dispatch.turnIsDue(changes.account())) {
            dispatch.turn(changes);
        }
    }

    /** Whether something waits and there is room for it. */
    public boolean turnIsDue(LedgerAccount account) {
        return dispatch.turnIsDue(account);
    }

    /** Gives the next turn. */
    public Verdict turn(PendingChanges changes) {
        dispatch.turn(changes);
        return TAKEN;
    }

    /** Ends the report whose turn it is, which cannot be given; where nobody knows which one that is, the turn is skipped. */
    public Verdict endTurn(PendingChanges changes) {
        dispatch.endTurn(changes);
        return TAKEN;
    }

    /** Goes on to the turn after the next one, whosever that is. */
    public Verdict skipTurn(PendingChanges changes) {
        dispatch.skipTurn(changes);
        return TAKEN;
    }

    /**
     * Ends what a command began that could not be decided: whoever was told that a report is accepted hears of its end. An open
     * report needs none of this, its leases end it.
     */
    public Verdict abandon(PendingChanges changes, AccountCommand command) {
        switch (command) {
            case AccountCommand.RequestReport c -> attempts.abandon(changes, c);
            case AccountCommand.RetryReport c -> attempts.abandon(changes, c);
            case AccountCommand.GrantCredits c -> {}
            case AccountCommand.ExpireCredits c -> {}
            case AccountCommand.CancelReport c -> {}
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

    /** What time has brought to the account. */
    public Verdict tick(PendingChanges changes) {
        if (reached(due(changes.account()), changes.now())) {
            LedgerAccount account = changes.account();
            String id = "opening." + account.id() + "." + (account.ledgerSequence() + 1);
            changes.record(new Fact.Entered(
                    LedgerEntry.Kind.OPENING, id, null, account.balance().remaining()));
        }
        return TAKEN;
    }

    /** What time has brought to a report of the account: lost slices, or oblivion. Turns may follow. */
    public Verdict tick(PendingChanges changes, UUID reportId) {
        LedgerReport report = changes.reports().get(reportId);
        if (report != null && report.open()) {
            answers.expire(changes, reportId);
        } else if (report != null && reached(due(report), changes.now())) {
            changes.record(new Fact.Forgotten(reportId));
        }
        return TAKEN;
    }

    /** When {@link #tick(PendingChanges)} has something to do. */
    public Optional<Instant> due(LedgerAccount account) {
        return Optional.ofNullable(account.openedAt())
                .map(at -> at.plus(rules.times().opening()));
    }

    /** When {@link #tick(PendingChanges, UUID)} has something to do, unless something happens before. */
    public Optional<Instant> due(LedgerReport report) {
        OpenAttempt work = report.work();
        return work == null
                ? Optional.of(report.status().updatedAt().plus(rules.times().reports()))
                : work.firstDue();
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
