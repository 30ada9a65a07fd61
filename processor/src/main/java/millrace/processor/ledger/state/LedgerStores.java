package millrace.processor.ledger.state;

import java.time.InstantSource;
import java.util.UUID;
import java.util.function.LongSupplier;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.decide.EndedReport;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerAccount;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.PendingChanges;
import millrace.processor.ledger.decide.SliceAnswer;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The state of the account step. All kinds of values share one store; every key begins with its kind. Separate stores
 * would need a database and a changelog topic for each kind.
 */
public record LedgerStores(
        StateFormat form,
        CachedTypedStore<LedgerAccount> accounts,
        CachedTypedStore<LedgerReport> reports,
        CachedTypedStore<AccountCommand.RequestReport> requests,
        TypedStore<SliceAnswer> answers,
        TypedStore<UUID> tickets,
        TypedStore<Boolean> grants,
        TypedStore<UUID> claims,
        EndedReports ended,
        LedgerTimers timers,
        AgendaClock clock,
        DataVersionUse versions,
        StateMigration migration,
        Ledger ledger) {
    public static final String STORE = "ledger";

    /** The {@link StateFormat} of all values. */
    public static final String FORM = "form";

    /** Key: account. */
    static final String ACCOUNTS = "accounts";
    /** Key: account / report. Reports that are open, or that can be retried. */
    public static final String REPORTS = "reports";
    /** Key: account / report. The requests of these reports. They never change, and are large. */
    public static final String REQUESTS = "requests";
    /** Key: account / report / attempt / slice, or number of a part. Deleted once the report has ended. */
    public static final String ANSWERS = "slice-answers";
    /** Key: account / lane / number. The reports that wait for a turn. */
    static final String TICKETS = "tickets";
    /** Key: account / grant. */
    static final String GRANTS = "grants";
    /** Key: account / hash of the Idempotency-Key. Those of these reports. */
    public static final String IDEMPOTENCY = "idempotency";
    /** Key: time / account, or time / account / report. Timers of leases, openings and retention. */
    public static final String AGENDA = "agenda";
    /** The time that these are due by, of {@link AgendaClock}. */
    public static final String CLOCK = "clock";
    /** Key: bucket. Reports that are over, and their Idempotency-Keys. */
    public static final String ENDED = "ended";
    /** Key: time / bucket. */
    public static final String ENDED_AGENDA = "ended-agenda";

    static final String ENDED_SIZE = "ended-size";
    /** Key: time / account / report. Timers of files; builds before v0.3.0 wrote them. */
    static final String FILE_AGENDA = "file-agenda";

    /** Key: dataset / version. The number of open reports that read it. */
    public static final String VERSIONS = "data-versions";

    /** Rows of a step of the migration, which takes some ten milliseconds. */
    private static final int MIGRATED_AT_ONCE = 200;

    /**
     * Recently used accounts, reports and requests of all partitions of a stream thread, decoded. Requests are large, so
     * each kind has its own room. For that thread only.
     */
    public static final class Caches {
        /** As encoded bytes. Decoded values take two to four times as much. */
        private static final int ACCOUNTS_KEPT = 2 << 20;

        private static final int REPORTS_KEPT = 6 << 20;
        private static final int REQUESTS_KEPT = 6 << 20;

        private final DecodedValues accounts = new DecodedValues(ACCOUNTS_KEPT);
        private final DecodedValues reports = new DecodedValues(REPORTS_KEPT);
        private final DecodedValues requests = new DecodedValues(REQUESTS_KEPT);
    }

    /** With Streams' own cache, since many keys are written several times in one transaction. */
    public static StoreBuilder<KeyValueStore<String, byte[]>> builder() {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray())
                .withCachingEnabled();
    }

    /**
     * @param caches of the calling stream thread
     * @param steady milliseconds of a clock that only goes forward
     * @throws SettingsException if the state has a format that this build does not know
     */
    public static LedgerStores of(
            KeyValueStore<String, byte[]> store,
            Ledger ledger,
            Caches caches,
            InstantSource wall,
            LongSupplier steady) {
        return new LedgerStores(
                StateFormat.read(new TypedStore<>(store, FORM, Integer.class), () -> isEmpty(store)),
                new CachedTypedStore<>(new TypedStore<>(store, ACCOUNTS, LedgerAccount.class), caches.accounts),
                new CachedTypedStore<>(new TypedStore<>(store, REPORTS, LedgerReport.class), caches.reports),
                new CachedTypedStore<>(
                        new TypedStore<>(store, REQUESTS, AccountCommand.RequestReport.class), caches.requests),
                new TypedStore<>(store, ANSWERS, SliceAnswer.class),
                new TypedStore<>(store, TICKETS, UUID.class),
                new TypedStore<>(store, GRANTS, Boolean.class),
                new TypedStore<>(store, IDEMPOTENCY, UUID.class),
                new EndedReports(store),
                new LedgerTimers(new TypedStore<>(store, AGENDA, LedgerTimers.Item.class), ledger),
                new AgendaClock(new TypedStore<>(store, CLOCK, Long.class), wall, steady),
                new DataVersionUse(new TypedStore<>(store, VERSIONS, Integer.class)),
                new StateMigration(store, ledger),
                ledger);
    }

    private static boolean isEmpty(KeyValueStore<String, byte[]> store) {
        try (KeyValueIterator<String, byte[]> all = store.all()) {
            return !all.hasNext();
        }
    }

    /** Brings some of the state of an earlier build into the form of this one. Returns whether there may be more. */
    public boolean migrate() {
        if (!form.isMigrated()) {
            migration.step(this, MIGRATED_AT_ONCE);
        }
        return !form.isMigrated();
    }

    /** Writes the pending changes of one account. */
    public void save(PendingChanges changes) {
        String account = changes.account().id();
        if (!changes.account().equals(changes.accountBefore())) {
            accounts.put(account, changes.account());
        }
        clock.keep();
        timers.move(changes);
        versions.count(changes);
        changes.requests().forEachWrite((id, after) -> {
            // Its report may wait for its first attempt for long.
            if (after != null && after.request().query().parts() > 1) {
                form.writeNewest();
            }
            requests.put(StoreKeys.report(account, id), after);
        });
        changes.answers().forEachWrite((key, after) -> answers.put(StoreKeys.answer(account, key), after));
        changes.tickets().forEachWrite((key, after) -> tickets.put(StoreKeys.ticket(account, key), after));
        changes.grants().forEachWrite((id, after) -> grants.put(StoreKeys.under(account, id), after));
        changes.claims().forEachWrite((hash, after) -> claims.put(StoreKeys.under(account, hash), after));
        changes.ended().forEachWrite((id, after) -> {
            if (after == null) {
                ended.remove(account, id);
            } else {
                ended.put(account, after);
            }
        });
        changes.reports().forEachWrite((id, after) -> {
            if (after != null && after.work() != null && after.work().inParts()) {
                form.writeNewest();
            }
            if (after != null && after.over()) {
                end(account, after, changes.requests().get(id));
            } else {
                reports.put(StoreKeys.report(account, id), after);
            }
        });
    }

    /**
     * Keeps of a report that is over only that it was there.
     *
     * @param request null if it is lost
     */
    void end(String account, LedgerReport report, AccountCommand.@Nullable RequestReport request) {
        EndedReport kept = ledger.ended(report, request);
        ended.put(account, kept);
        String key = StoreKeys.report(account, report.id());
        reports.put(key, null);
        requests.put(key, null);
        AccountCommand.Idempotency idempotency = request == null ? null : request.idempotency();
        if (idempotency != null) {
            String claim = StoreKeys.under(account, idempotency.keyHash());
            if (report.id().equals(claims.get(claim))) {
                claims.put(claim, null);
                ended.claim(account, idempotency.keyHash(), kept.knownUntil());
            }
        }
    }
}
