package millrace.gateway.copy.reports;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.reports.Status;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.NotCachedException;
import millrace.gateway.copy.database.PageScan;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * All reports and balances. What the ledger wrote is on the disk, with the offsets that it was read up to; commands that
 * it has not decided are in memory, and lie over that. The result does not depend on how records of different topics
 * interleave, or on how often a command is folded. Safe for use by many threads.
 *
 * <p>What is pending goes when the rows that answer it are written. So whoever asks looks at what is pending first, and
 * at the rows then: the other way round, a report could be in neither. Questions throw {@link StoreException} where the
 * rows cannot be read.
 */
public final class ReadModel implements AutoCloseable {
    /** Two of them. With larger ones less is written twice while the topics are read from their beginning. */
    private static final long WRITE_BUFFER = 16L << 20;

    private static final int OPEN_FILES = 256;

    private final LocalStore store;
    /** Write-locked while rows change, with what changes in memory after them. Nobody waits for it. */
    private final StampedLock rows = new StampedLock();

    private final Map<String, AccountEntry> accounts = new ConcurrentHashMap<>();
    private final Map<UUID, PendingReport> pending = new ConcurrentHashMap<>();
    private final AtomicLong open = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final ReportWatches watches = new ReportWatches();

    /** Reports whose status the ledger has written. */
    private volatile long stored;

    private ReadModel(LocalStore store) {
        this.store = store;
    }

    /**
     * Reserves the folder for this process.
     *
     * @param cache most bytes of rows that are kept in memory
     * @throws SettingsException where the folder cannot be written or another process holds it; its
     *     message is one line
     */
    public static ReadModel in(Path folder, long cache) {
        var bounds = new LocalDatabase.Bounds(cache, WRITE_BUFFER, OPEN_FILES);
        return new ReadModel(LocalStore.in(folder, "gateway.read-model.directory", bounds));
    }

    /**
     * Opens the rows, and deletes them if they do not fit the topics.
     *
     * @throws StoreException if they cannot be opened
     * @throws IOException if rows that do not fit cannot be deleted
     */
    CopiedTopics.Opened open(TopicState topics, Instant now) throws IOException {
        CopiedTopics.Opened opened =
                topics.topics().open(store, ReportTable.FORM, TopicState::positions, rows -> topics.unfit(rows, now));
        store.run(database -> whileRowsChange(() -> restart(new StoredReports(database))));
        return opened;
    }

    /** Commands that were acknowledged here stay: they may not be read again. */
    private void restart(StoredReports reports) {
        accounts.values().forEach(account -> {
            synchronized (account) {
                open.addAndGet(account.unanswered().size() - account.openReports());
                account.recount();
            }
        });
        reports.balances(this::balance);
        reports.open(null, report -> {
            account(report.accountId()).countStoredOpen(1);
            open.incrementAndGet();
        });
        stored = reports.size();
        pending.values().forEach(report -> {
            AccountEntry account = account(report.accountId());
            synchronized (account) {
                settle(reports, account, report.id());
            }
        });
    }

    // Folding

    /**
     * Changes rows together with the offsets that follow, and then what is in memory.
     *
     * @throws StoreException where rows cannot be read or written; what is in memory is right when they are opened again
     */
    void fold(Consumer<ModelChanges> records, Map<TopicPartition, OffsetAndMetadata> next, Instant now) {
        store.run(database -> {
            try (var changes = new ModelChanges(database)) {
                records.accept(changes);
                whileRowsChange(() -> changes.write(next, now.toEpochMilli(), this));
            }
        });
    }

    private void whileRowsChange(Runnable change) {
        long stamp = rows.writeLock();
        try {
            change.run();
        } finally {
            rows.unlockWrite(stamp);
        }
    }

    /** What is on the disk. */
    LocalStore store() {
        return store;
    }

    void resized(long reports) {
        stored = reports;
    }

    /** Of each report: who waits for its next change. */
    public ReportWatches watches() {
        return watches;
    }

    /** The status of a report is written. */
    void decided(String accountId, UUID reportId, boolean wasOpen, boolean isOpen) {
        AccountEntry account = account(accountId);
        store.run(database -> {
            synchronized (account) {
                boolean before = wasOpen || account.isUnanswered(reportId);
                countStoredOpen(account, (isOpen ? 1 : 0) - (wasOpen ? 1 : 0));
                settle(new StoredReports(database), account, reportId);
                boolean after = isOpen || account.isUnanswered(reportId);
                ended.addAndGet(before && !after ? 1 : 0);
            }
        });
        watches.changed(reportId);
    }

    /** The status of a report is deleted. */
    void forgotten(String accountId, UUID reportId, boolean wasOpen) {
        AccountEntry account = account(accountId);
        synchronized (account) {
            countStoredOpen(account, wasOpen ? -1 : 0);
            drop(account, reportId);
        }
        watches.changed(reportId);
    }

    /** Must hold the account's lock. */
    private void drop(AccountEntry account, UUID reportId) {
        PendingReport gone = pending.remove(reportId);
        if (gone != null && gone.key() != null) {
            account.forgetKey(gone.key(), reportId);
        }
        answered(account, reportId);
    }

    /** The request of a report is written. */
    void requestStored(String accountId, UUID reportId) {
        if (pending.containsKey(reportId)) {
            AccountEntry account = account(accountId);
            store.run(database -> {
                synchronized (account) {
                    settle(new StoredReports(database), account, reportId);
                }
            });
        }
    }

    void balance(AccountState newest) {
        account(newest.accountId()).state(newest);
    }

    /** Tells whether rows have changed since; 0 while they change. */
    public long stamp() {
        return rows.tryOptimisticRead();
    }

    /**
     * Folds a command, read from its topic or just appended by this gateway. May read rows, and does not wait where they
     * are being opened.
     */
    public void command(String accountId, AccountCommand command, int partition, long offset) {
        command(accountId, command, partition, offset, 0);
    }

    /**
     * The same for a command about a report that is new.
     *
     * @param stamp from a time when no row was about the report, or 0: no row is read where none has changed since
     */
    public void command(String accountId, AccountCommand command, int partition, long offset, long stamp) {
        switch (command) {
            case AccountCommand.RequestReport r ->
                pend(
                        accountId,
                        r.reportId(),
                        report -> report.requested(
                                r.undecidedStatus(accountId),
                                new RequestPosition.Command(partition, offset),
                                key(r.idempotency())),
                        stamp);
            case AccountCommand.RetryReport(UUID id, int attempt) -> {
                pend(accountId, id, report -> report.retried(attempt), 0);
                watches.changed(id);
            }
            case AccountCommand.GrantCredits g -> account(accountId).grant(g.grantId(), g.amount());
            case AccountCommand.ExpireCredits c -> {}
            case AccountCommand.CancelReport c -> {}
            case AccountCommand.EraseReport c -> {}
            case AccountCommand.SliceRunning s -> {}
            case AccountCommand.SliceDone s -> {}
            case AccountCommand.SliceFailed s -> {}
            case AccountCommand.Assembled a -> {}
        }
    }

    /** It is pending and counts from the same moment: otherwise neither it nor its reservation would count in between. */
    private void pend(String accountId, UUID reportId, UnaryOperator<PendingReport> command, long stamp) {
        AccountEntry account = account(accountId);
        synchronized (account) {
            // Rows that change from here on settle it: that needs the account's lock, too.
            if (rows.validate(stamp)) {
                put(account, reportId, command);
                settle(account, reportId, null, false);
                return;
            }
        }
        boolean settled = withRows(account, reports -> {
            put(account, reportId, command);
            settle(reports, account, reportId);
        });
        if (!settled) {
            synchronized (account) {
                put(account, reportId, command);
                settle(account, reportId, null, false);
            }
            // They may have been opened in between. Otherwise it is settled when they are.
            boolean unused = withRows(account, reports -> settle(reports, account, reportId));
        }
    }

    private void put(AccountEntry account, UUID reportId, UnaryOperator<PendingReport> command) {
        PendingReport before = pending.get(reportId);
        PendingReport after = command.apply(before == null ? PendingReport.none(account.id(), reportId) : before);
        pending.put(reportId, after);
        if (after.key() != null) {
            account.key(after.key(), reportId);
        }
    }

    /** Changes what is pending of an account by what the rows say. Returns false where they cannot be read now. */
    private boolean withRows(AccountEntry account, Consumer<StoredReports> change) {
        try {
            return store.useNow(database -> {
                        synchronized (account) {
                            change.accept(new StoredReports(database));
                            return true;
                        }
                    })
                    .isPresent();
        } catch (StoreException e) {
            return false;
        }
    }

    /** Drops what the ledger has answered of a report that is pending. Must hold the account's lock. */
    private void settle(StoredReports reports, AccountEntry account, UUID reportId) {
        if (pending.containsKey(reportId)) {
            StoredReport report = reports.report(reportId);
            if (report == null && reports.isErased(reportId)) {
                drop(account, reportId); // its command is read after its tombstone
                return;
            }
            boolean requestStored = (report != null && report.request() != null) || reports.request(reportId) != null;
            settle(account, reportId, report, requestStored);
        }
    }

    private void settle(AccountEntry account, UUID reportId, @Nullable StoredReport report, boolean requestStored) {
        PendingReport before = pending.get(reportId);
        if (before == null) {
            return;
        }
        PendingReport left = before.beside(report, requestStored);
        if (before.key() != null && left.key() == null) {
            account.forgetKey(before.key(), reportId);
        }
        if (left.isEmpty()) {
            pending.remove(reportId);
        } else {
            pending.put(reportId, left);
        }
        if (left.unanswered(report)) {
            open.addAndGet(account.isUnanswered(reportId) ? 0 : 1);
            account.unanswered(reportId, left.credits(report));
        } else {
            answered(account, reportId);
        }
    }

    private void answered(AccountEntry account, UUID reportId) {
        open.addAndGet(account.isUnanswered(reportId) ? -1 : 0);
        account.answered(reportId);
    }

    private void countStoredOpen(AccountEntry account, int more) {
        open.addAndGet(more);
        account.countStoredOpen(more);
    }

    // Queries

    /** The report, if it is known and belongs to the account. */
    public Optional<ReportView> report(String accountId, UUID reportId) {
        return report(reportId).filter(r -> r.accountId().equals(accountId));
    }

    public Optional<ReportView> report(UUID reportId) {
        PendingReport waiting = pending.get(reportId);
        return store.use(database -> view(new StoredReports(database).report(reportId), waiting));
    }

    /**
     * The account's report where that is in memory, for threads that must not wait. Otherwise empty, whether there is one
     * or not.
     */
    public Optional<ReportView> cached(String accountId, UUID reportId) {
        PendingReport waiting = pending.get(reportId);
        return store.useNow(database -> {
                    try {
                        return view(new StoredReports(database).cached(reportId).orElse(null), waiting);
                    } catch (NotCachedException e) {
                        return Optional.<ReportView>empty();
                    }
                })
                .flatMap(found -> found)
                .filter(report -> report.accountId().equals(accountId));
    }

    /**
     * An account's reports, newest first.
     *
     * @param after null from the newest
     * @param most reports that are wanted
     */
    public PageScan<ReportView> history(
            String accountId, @Nullable HistoryCursor after, HistoryFilter filter, int most) {
        return filter.ids() == null
                ? merged(accountId, after, filter, reports -> page(reports, filter, most))
                : page(alike(accountId, filter.ids(), after).iterator(), filter, most);
    }

    private static PageScan<ReportView> page(Iterator<ReportView> reports, HistoryFilter filter, int most) {
        return PageScan.of(reports, filter::matches, filter::isOver, most);
    }

    /**
     * Why a report of the account cannot have these tags, as a sentence; empty if it can. Counts the reports that the
     * ledger has decided.
     *
     * @param values most different values of a tag
     * @param names most tags of different names
     */
    public Optional<String> tooManyTags(String accountId, Map<String, String> tags, int values, int names) {
        return store.use(database -> {
            var reports = new StoredReports(database);
            for (Map.Entry<String, String> tag : tags.entrySet()) {
                if (reports.isTagged(accountId, tag)) {
                    continue;
                }
                String name = tag.getKey();
                int known = reports.tagValues(accountId, name, values);
                if (known == values) {
                    return Optional.of("tags." + name + ": the reports of the account have " + values
                            + " different values of it already; use one of them.");
                }
                if (known == 0 && reports.tagNames(accountId, names) == names) {
                    return Optional.of("tags." + name + ": the reports of the account have " + names
                            + " tags of different names already; use one of them.");
                }
            }
            return Optional.empty();
        });
    }

    /**
     * The newest reports of one account, or of all.
     *
     * @param accountId null for all accounts
     * @param after null from the newest
     * @param most reports that are wanted
     */
    public NewestReports newest(
            @Nullable String accountId, @Nullable HistoryCursor after, HistoryFilter filter, int most) {
        var newest = new NewestReports(filter, most);
        if (filter.ids() != null) {
            boolean unused = newest.add(alike(accountId, filter.ids(), after).iterator());
            return newest;
        }
        for (String account : accountId == null ? List.copyOf(accounts.keySet()) : List.of(accountId)) {
            if (!merged(account, after, filter, newest::add)) {
                break;
            }
        }
        return newest;
    }

    /**
     * The reports whose ids begin so, newest first.
     *
     * @param accountId null for all accounts
     */
    private List<ReportView> alike(@Nullable String accountId, IdPrefix prefix, @Nullable HistoryCursor after) {
        Set<UUID> ids = pending.keySet().stream().filter(prefix::begins).collect(Collectors.toSet());
        return store.use(database -> {
            var reports = new StoredReports(database);
            ids.addAll(reports.ids(prefix));
            return ids.stream()
                    .flatMap(id -> view(reports, id).stream())
                    .filter(report -> accountId == null || report.accountId().equals(accountId))
                    .filter(report -> after == null || HistoryCursor.NEWEST_FIRST.compare(report.cursor(), after) > 0)
                    .sorted(Comparator.comparing(ReportView::cursor, HistoryCursor.NEWEST_FIRST))
                    .toList();
        });
    }

    /** An account's reports, newest first, among which are all that match. */
    private <T> T merged(
            String accountId,
            @Nullable HistoryCursor after,
            HistoryFilter filter,
            Function<Iterator<ReportView>, T> use) {
        List<PendingReport> unanswered = unanswered(account(accountId));
        return store.use(database -> {
            var reports = new StoredReports(database);
            NavigableMap<HistoryCursor, ReportView> over = new TreeMap<>(HistoryCursor.NEWEST_FIRST);
            Set<UUID> merged = new HashSet<>();
            for (PendingReport waiting : unanswered) {
                merged.add(waiting.id());
                view(reports.report(waiting.id()), waiting).ifPresent(report -> over.put(report.cursor(), report));
            }
            try (StoredReports.History rows = reports.history(accountId, after, filter.rows(), filter.tag())) {
                var newest = (after == null ? over : over.tailMap(after, false)).values();
                return use.apply(new MergedHistory(newest.iterator(), rows, merged));
            }
        });
    }

    /** What is pending and the rows, newest first. */
    private final class MergedHistory implements Iterator<ReportView> {
        private final Iterator<ReportView> waiting;
        private final StoredReports.History rows;
        private final Set<UUID> merged;
        private @Nullable ReportView pending;
        private @Nullable ReportView row;

        /** @param merged reports whose rows are passed over, because {@code waiting} has them */
        MergedHistory(Iterator<ReportView> waiting, StoredReports.History rows, Set<UUID> merged) {
            this.waiting = waiting;
            this.rows = rows;
            this.merged = merged;
            pending = nextPending();
            row = nextRow();
        }

        @Override
        public boolean hasNext() {
            return pending != null || row != null;
        }

        @Override
        public ReportView next() {
            ReportView next;
            if (pending != null && (row == null || isBefore(pending, row))) {
                next = pending;
                pending = nextPending();
            } else if (row != null) {
                next = row;
                row = nextRow();
            } else {
                throw new NoSuchElementException();
            }
            return next;
        }

        private @Nullable ReportView nextPending() {
            return waiting.hasNext() ? waiting.next() : null;
        }

        private @Nullable ReportView nextRow() {
            for (StoredReport found = rows.next(); found != null; found = rows.next()) {
                UUID id = found.place().reportId();
                if (!merged.contains(id)) {
                    return view(found, ReadModel.this.pending.get(id)).orElseThrow();
                }
            }
            return null;
        }
    }

    private static boolean isBefore(ReportView one, ReportView other) {
        return HistoryCursor.NEWEST_FIRST.compare(one.cursor(), other.cursor()) < 0;
    }

    /** A report that has not ended, without its status. */
    public record OpenReport(HistoryCursor cursor, String accountId, String dataset) {}

    /**
     * Tells of all reports that have not ended, of one account or of all.
     *
     * @param accountId null for all accounts
     */
    public void openReports(@Nullable String accountId, Consumer<OpenReport> each) {
        Collection<AccountEntry> some = accountId == null
                ? accounts.values()
                : Optional.ofNullable(accounts.get(accountId)).stream().toList();
        List<PendingReport> unanswered =
                some.stream().flatMap(account -> unanswered(account).stream()).toList();
        store.run(database -> {
            var reports = new StoredReports(database);
            Set<UUID> told = new LinkedHashSet<>();
            for (PendingReport waiting : unanswered) {
                told.add(waiting.id());
                view(reports.report(waiting.id()), waiting)
                        .filter(report -> report.word() == Status.PROCESSING)
                        .ifPresent(report ->
                                each.accept(new OpenReport(report.cursor(), report.accountId(), report.dataset())));
            }
            reports.open(accountId, report -> {
                if (!told.contains(report.place().reportId())) {
                    each.accept(new OpenReport(report.place(), report.accountId(), report.dataset()));
                }
            });
        });
    }

    private List<PendingReport> unanswered(AccountEntry account) {
        return account.unanswered().stream()
                .flatMap(id -> Optional.ofNullable(pending.get(id)).stream())
                .toList();
    }

    private Optional<ReportView> view(@Nullable StoredReport report, @Nullable PendingReport waiting) {
        return ReportView.of(report, waiting, this::storedRequest);
    }

    private Optional<RequestPosition> storedRequest(UUID reportId) {
        return store.use(database -> Optional.ofNullable(new StoredReports(database).request(reportId)))
                .map(StoredReports.Request::position);
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

    /** Reports of an account that have not ended, as admission counts them. */
    public int open(String accountId) {
        return account(accountId).open();
    }

    /** Reports that have ended since this gateway started. */
    public long ended() {
        return ended.get();
    }

    /** Number of known reports. */
    public long size() {
        return stored
                + pending.values().stream()
                        .filter(report -> report.undecided() != null)
                        .count();
    }

    /** Bytes of the files; 0 while they are not open. */
    public long bytes() {
        return store.bytes();
    }

    /**
     * The state of an account before a submission.
     *
     * @param remaining credits that can still be reserved
     * @param open reports that have not ended
     * @param known the report that the same request made with the same Idempotency-Key, or null
     * @param keyTaken whether the Idempotency-Key belongs to another request, or to a report that was erased
     */
    public record Standing(
            long remaining, int open, @Nullable UUID known, boolean keyTaken) {}

    /**
     * The state of the account before an attempt that is to be reserved.
     *
     * @param reserved other reservations of this gateway; each counts until its command, or a
     *     status that follows from it, has been folded, for which each is looked up
     */
    public Standing standing(String accountId, Reservation wanted, Collection<Reservation> reserved) {
        return standing(accountId, wanted, reserved, this::hasRead);
    }

    /**
     * As {@link #standing}, but without looking any reservation up: one whose command has been folded counts twice. What
     * is admitted by this is admitted by {@link #standing}, too.
     */
    public Standing leastStanding(String accountId, Reservation wanted, Collection<Reservation> reserved) {
        return standing(accountId, wanted, reserved, (reports, other) -> false);
    }

    private Standing standing(
            String accountId,
            Reservation wanted,
            Collection<Reservation> reserved,
            BiPredicate<StoredReports, Reservation> counted) {
        AccountEntry account = account(accountId);
        return store.use(database -> {
            var reports = new StoredReports(database);
            synchronized (account) {
                Set<UUID> withKey = withKey(reports, account, wanted);
                UUID known = repeated(reports, withKey, wanted);
                boolean taken = known == null && isKeyTaken(reports, withKey, wanted);
                long remaining = account.remaining();
                int openReports = account.open();
                for (Reservation other : reserved) {
                    if (!counted.test(reports, other)) {
                        remaining -= other.credits();
                        openReports++;
                        taken |= other.hasKeyOf(wanted);
                    }
                }
                return new Standing(Math.max(0, remaining), openReports, known, taken);
            }
        });
    }

    /** Whether the command, or a status that follows from it, has been folded. */
    private boolean hasRead(StoredReports reports, Reservation reservation) {
        return view(reports, reservation.reportId())
                .filter(report -> report.attempt() >= reservation.attempt())
                .isPresent();
    }

    /**
     * The reports that have the Idempotency-Key, and the one that is wanted; none without a key. Must hold the account's
     * lock: a report that is pending with the key is in the rows before it is not any more.
     */
    private static Set<UUID> withKey(StoredReports reports, AccountEntry account, Reservation wanted) {
        UUID key = key(wanted.idempotency());
        if (key == null) {
            return Set.of();
        }
        Set<UUID> found = new HashSet<>(account.reports(key));
        found.addAll(reports.reports(account.id(), key));
        found.add(wanted.reportId());
        return found;
    }

    /** The one that the same request made, or null. */
    private @Nullable UUID repeated(StoredReports reports, Set<UUID> withKey, Reservation wanted) {
        return withKey.stream()
                .filter(id -> !lostKey(reports, id))
                .flatMap(id -> view(reports, id).stream())
                .map(ReportView::cursor)
                .filter(report -> report.reportId().equals(wanted.reportId())
                        || SubmissionId.repeats(
                                Objects.requireNonNull(wanted.idempotency()), report.reportId(), report.submittedAt()))
                .findAny()
                .map(HistoryCursor::reportId)
                .orElse(null);
    }

    private static boolean isKeyTaken(StoredReports reports, Set<UUID> withKey, Reservation wanted) {
        return withKey.stream()
                .anyMatch(id -> id.equals(wanted.reportId())
                        ? lostKey(reports, id) || reports.isErased(id)
                        : !lostKey(reports, id));
    }

    /**
     * Whether another request with the same Idempotency-Key came first, so that this one does not
     * hold the key.
     */
    private static boolean lostKey(StoredReports reports, UUID reportId) {
        StoredReport report = reports.report(reportId);
        return report != null && report.lostKey();
    }

    private Optional<ReportView> view(StoredReports reports, UUID reportId) {
        PendingReport waiting = pending.get(reportId);
        return view(reports.report(reportId), waiting);
    }

    private AccountEntry account(String accountId) {
        return accounts.computeIfAbsent(accountId, AccountEntry::new);
    }

    private static @Nullable UUID key(@Nullable Idempotency idempotency) {
        return idempotency == null ? null : key(idempotency.keyHash());
    }

    /** The first half of the key's hash. */
    static UUID key(String hash) {
        return new UUID(Long.parseUnsignedLong(hash, 0, 16, 16), Long.parseUnsignedLong(hash, 16, 32, 16));
    }

    @Override
    public void close() {
        store.close();
    }
}
