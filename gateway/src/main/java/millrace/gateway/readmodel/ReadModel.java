package millrace.gateway.readmodel;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.gateway.admission.Admission;
import millrace.gateway.admission.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * All reports and balances in memory. The result does not depend on how records of different topics
 * interleave, or on how often a command is folded. Safe for use by many threads.
 */
public final class ReadModel {
    private final Map<String, AccountEntry> accounts = new ConcurrentHashMap<>();
    private final Map<UUID, ReportEntry> reports = new ConcurrentHashMap<>();
    private final Map<String, String> datasets = new ConcurrentHashMap<>();
    private final StatusCompressor compressor = new StatusCompressor();
    private final AtomicLong open = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();

    // Folding

    /** Folds a record of the status topic. */
    public void status(ReportStatus newest) {
        AccountEntry account = account(newest.accountId());
        synchronized (account) {
            ReportEntry before = reports.get(newest.reportId());
            if (before != null && before.known() && before.sequence() > newest.sequence()) {
                return;
            }
            ReportEntry after = change(account, newest.accountId(), newest.reportId(), r -> with(r, newest));
            if (after.unanswered()) {
                account.unanswered(newest.reportId(), newest.estimatedCredits());
            } else {
                account.answered(newest.reportId());
            }
        }
    }

    /** Folds a tombstone of the status topic. */
    public void forget(String accountId, UUID reportId) {
        AccountEntry account = account(accountId);
        synchronized (account) {
            ReportEntry gone = reports.remove(reportId);
            account.answered(reportId);
            if (gone != null) {
                account.history.remove(gone.place());
                countOpen(account, gone.open() ? -1 : 0);
                if (gone.key() != null) {
                    account.forgetKey(gone.key(), reportId);
                }
            }
        }
    }

    /**
     * Folds a tombstone of the requests topic. Where the status is known, its own tombstone removes
     * the report. Otherwise the request alone would hold its Idempotency-Key for ever.
     */
    public void forgetRequest(String accountId, UUID reportId) {
        AccountEntry account = account(accountId);
        synchronized (account) {
            ReportEntry report = reports.get(reportId);
            if (report != null && !report.known()) {
                forget(accountId, reportId);
            }
        }
    }

    public void accountState(AccountState newest) {
        account(newest.accountId()).state(newest);
    }

    /**
     * Folds a record of the requests topic.
     *
     * @param place where the record is
     */
    public void request(String accountId, UUID reportId, @Nullable Idempotency idempotency, RequestPosition place) {
        AccountEntry account = account(accountId);
        synchronized (account) {
            UUID key = key(idempotency);
            change(account, accountId, reportId, r -> r.withRequest(place, key));
            if (key != null) {
                account.key(key, reportId);
            }
        }
    }

    /** Folds a command, read from its topic or just appended by this gateway. */
    public void command(String accountId, AccountCommand command, int partition, long offset) {
        switch (command) {
            case AccountCommand.RequestReport r ->
                requested(accountId, r, new RequestPosition(false, partition, offset));
            case AccountCommand.RetryReport(UUID id, int attempt) -> retried(accountId, id, attempt);
            case AccountCommand.GrantCredits g -> account(accountId).grant(g.grantId(), g.amount());
            case AccountCommand.ExpireCredits c -> {}
            case AccountCommand.CancelReport c -> {}
            case AccountCommand.SliceRunning s -> {}
            case AccountCommand.SliceDone s -> {}
            case AccountCommand.SliceFailed s -> {}
            case AccountCommand.Assembled a -> {}
        }
    }

    private void requested(String accountId, AccountCommand.RequestReport r, RequestPosition place) {
        AccountEntry account = account(accountId);
        UUID key = key(r.idempotency());
        synchronized (account) {
            ReportEntry before = reports.get(r.reportId());
            boolean first = before == null || !before.known();
            ReportEntry after = change(account, accountId, r.reportId(), report -> {
                ReportEntry requested = report.withRequest(place, key);
                return first ? with(requested, r.undecidedStatus(accountId)) : requested;
            });
            if (key != null) {
                account.key(key, r.reportId());
            }
            if (first && after.unanswered()) {
                account.unanswered(r.reportId(), r.quote().credits());
            }
        }
    }

    private void retried(String accountId, UUID reportId, int attempt) {
        AccountEntry account = account(accountId);
        synchronized (account) {
            ReportEntry after = change(account, accountId, reportId, r -> r.withRetry(attempt));
            if (after.known() && after.sequence() > 0 && after.unanswered()) {
                account.unanswered(reportId, after.current().estimatedCredits());
            }
        }
    }

    // Queries

    /** The report, if it is known and belongs to the account. */
    public Optional<ReportView> report(String accountId, UUID reportId) {
        return report(reportId).filter(r -> r.accountId().equals(accountId));
    }

    public Optional<ReportView> report(UUID reportId) {
        return Optional.ofNullable(reports.get(reportId))
                .filter(ReportEntry::known)
                .map(ReportView::new);
    }

    /** An account's reports, newest first, after the cursor or from the newest. */
    public Stream<ReportView> history(String accountId, @Nullable HistoryCursor after) {
        var history = account(accountId).history;
        return (after == null ? history : history.tailSet(after, false))
                .stream().flatMap(place -> report(place.reportId()).stream());
    }

    /**
     * Reports that have not ended, of one account or of all, the account's newest first. Accounts that have none are
     * passed over, and each account's history is read only until all of its open reports are found.
     *
     * @param accountId null for all accounts
     */
    public Stream<ReportView> openReports(@Nullable String accountId) {
        Stream<AccountEntry> some =
                accountId == null ? accounts.values().stream() : Stream.ofNullable(accounts.get(accountId));
        return some.flatMap(account -> account.history.stream()
                .flatMap(place -> Stream.ofNullable(reports.get(place.reportId())))
                .filter(ReportEntry::open)
                .map(ReportView::new)
                .limit(account.openReports()));
    }

    /** Credits that can still be reserved: the ledger's balance less what it has not decided. */
    public long remaining(String accountId) {
        return account(accountId).remaining();
    }

    /** The newest balance that the ledger wrote; empty before the first. */
    public Optional<AccountState> balance(String accountId) {
        return account(accountId).state();
    }

    /** Whether the account has a balance, or a grant that the ledger has not decided. */
    public boolean hasBalance(String accountId) {
        return account(accountId).hasBalance();
    }

    /** Reports of all accounts that have not ended. */
    public long open() {
        return open.get();
    }

    /** Reports that have ended since this gateway started. */
    public long ended() {
        return ended.get();
    }

    /** Number of known reports. */
    public int size() {
        return reports.size();
    }

    /**
     * The state of the account before an attempt that is to be reserved.
     *
     * @param reserved other reservations of this gateway; each counts until its command, or a
     *     status that follows from it, has been folded
     */
    public Admission.Standing standing(String accountId, Reservation wanted, Collection<Reservation> reserved) {
        AccountEntry account = account(accountId);
        UUID id = wanted.reportId();
        UUID key = key(wanted.idempotency());
        synchronized (account) {
            boolean known = key != null && holdsKey(id);
            boolean taken = key != null
                    && (lostKey(id)
                            || account.reports(key).stream().anyMatch(other -> !other.equals(id) && !lostKey(other)));
            long remaining = account.remaining();
            int open = account.open();
            for (Reservation other : reserved) {
                if (!hasRead(other)) {
                    remaining -= other.credits();
                    open++;
                    taken |= other.hasKeyOf(wanted);
                }
            }
            return new Admission.Standing(Math.max(0, remaining), open, known, taken);
        }
    }

    /** Whether the command, or a status that follows from it, has been folded. */
    private boolean hasRead(Reservation reservation) {
        ReportEntry report = reports.get(reservation.reportId());
        return report != null
                && report.known()
                && Math.max(report.attempt(), report.retryAttempt()) >= reservation.attempt();
    }

    private boolean holdsKey(UUID reportId) {
        ReportEntry report = reports.get(reportId);
        return report != null && report.known() && !lostKey(reportId);
    }

    /**
     * Whether another request with the same Idempotency-Key came first, so that this one does not
     * hold the key.
     */
    private boolean lostKey(UUID reportId) {
        ReportEntry report = reports.get(reportId);
        if (report == null || report.status() != Status.INTERNAL_ERROR) {
            return false;
        }
        ReportStatus.Failure error = report.current().error();
        return error != null && error.code() == ErrorCode.IDEMPOTENCY_CONFLICT;
    }

    private AccountEntry account(String accountId) {
        return accounts.computeIfAbsent(accountId, id -> new AccountEntry());
    }

    private ReportEntry with(ReportEntry report, ReportStatus newest) {
        String dataset = datasets.computeIfAbsent(newest.dataset(), d -> d);
        return report.with(newest, compressor, dataset);
    }

    /** Must hold the account's lock. */
    private ReportEntry change(AccountEntry account, String accountId, UUID reportId, UnaryOperator<ReportEntry> how) {
        ReportEntry before = reports.get(reportId);
        ReportEntry after = how.apply(before == null ? ReportEntry.unknown(reportId, accountId) : before);
        reports.put(reportId, after);
        if (before != null && !before.place().equals(after.place())) {
            account.history.remove(before.place());
        }
        if (after.known()) {
            account.history.add(after.place());
        }
        boolean wasOpen = before != null && before.open();
        countOpen(account, (after.open() ? 1 : 0) - (wasOpen ? 1 : 0));
        ended.addAndGet(wasOpen && !after.open() ? 1 : 0);
        return after;
    }

    private void countOpen(AccountEntry account, int more) {
        open.addAndGet(more);
        account.countOpen(more);
    }

    private static @Nullable UUID key(@Nullable Idempotency idempotency) {
        if (idempotency == null) {
            return null;
        }
        String hash = idempotency.keyHash();
        return new UUID(Long.parseUnsignedLong(hash, 0, 16, 16), Long.parseUnsignedLong(hash, 16, 32, 16));
    }
}
