package millrace.processor.ledger.store;

import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.account.Ledger;
import millrace.processor.ledger.account.state.LedgerAccount;
import millrace.processor.ledger.account.state.LedgerReport;
import millrace.processor.ledger.account.state.PendingChanges;
import millrace.processor.ledger.account.state.SliceAnswer;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

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
        LedgerTimers timers,
        LedgerTimers fileTimers,
        DataVersionUse versions) {
    public static final String STORE = "ledger";

    /** The {@link StateFormat} of all values. */
    public static final String FORM = "form";

    /** Key: account. */
    static final String ACCOUNTS = "accounts";
    /** Key: account / report. */
    public static final String REPORTS = "reports";
    /** Key: account / report. Requests never change, and are large. */
    public static final String REQUESTS = "requests";
    /** Key: account / report / attempt / slice. Deleted once the report is assembled. */
    public static final String ANSWERS = "slice-answers";
    /** Key: account / lane / number. The reports that wait for a turn. */
    static final String TICKETS = "tickets";
    /** Key: account / grant. */
    static final String GRANTS = "grants";
    /** Key: account / hash of the Idempotency-Key. */
    public static final String IDEMPOTENCY = "idempotency";
    /** Key: time / account, or time / account / report. Timers of leases, openings and retention. */
    public static final String AGENDA = "agenda";
    /** Key: time / account / report. Timers of the files of complete reports. */
    public static final String FILE_AGENDA = "file-agenda";

    /** Key: dataset / version. The number of open reports that read it. */
    public static final String VERSIONS = "data-versions";

    /** With Streams' own cache, since many keys are written several times in one transaction. */
    public static StoreBuilder<KeyValueStore<String, byte[]>> builder() {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray())
                .withCachingEnabled();
    }

    /**
     * @param caches of the calling stream thread
     * @throws SettingsException where the state has a format that this build does not know
     */
    public static LedgerStores of(ProcessorContext<?, ?> context, Ledger ledger, LedgerCaches caches) {
        KeyValueStore<String, byte[]> store = context.getStateStore(STORE);
        return new LedgerStores(
                StateFormat.read(new TypedStore<>(store, FORM, Integer.class)),
                new CachedTypedStore<>(new TypedStore<>(store, ACCOUNTS, LedgerAccount.class), caches.accounts),
                new CachedTypedStore<>(new TypedStore<>(store, REPORTS, LedgerReport.class), caches.reports),
                new CachedTypedStore<>(
                        new TypedStore<>(store, REQUESTS, AccountCommand.RequestReport.class), caches.requests),
                new TypedStore<>(store, ANSWERS, SliceAnswer.class),
                new TypedStore<>(store, TICKETS, UUID.class),
                new TypedStore<>(store, GRANTS, Boolean.class),
                new TypedStore<>(store, IDEMPOTENCY, UUID.class),
                LedgerTimers.ofTicks(new TypedStore<>(store, AGENDA, LedgerTimers.Item.class), ledger),
                LedgerTimers.ofFiles(new TypedStore<>(store, FILE_AGENDA, LedgerTimers.Item.class), ledger),
                new DataVersionUse(new TypedStore<>(store, VERSIONS, Integer.class)));
    }

    /** Writes the pending changes of one account. */
    public void save(PendingChanges changes) {
        String account = changes.account().id();
        if (!changes.account().equals(changes.accountBefore())) {
            accounts.put(account, changes.account());
        }
        timers.move(changes);
        fileTimers.move(changes);
        versions.count(changes);
        changes.reports().forEachWrite((id, after) -> reports.put(StoreKeys.report(account, id), after));
        changes.requests().forEachWrite((id, after) -> requests.put(StoreKeys.report(account, id), after));
        changes.answers().forEachWrite((key, after) -> answers.put(StoreKeys.answer(account, key), after));
        changes.tickets().forEachWrite((key, after) -> tickets.put(StoreKeys.ticket(account, key), after));
        changes.grants().forEachWrite((id, after) -> grants.put(StoreKeys.under(account, id), after));
        changes.claims().forEachWrite((hash, after) -> claims.put(StoreKeys.under(account, hash), after));
    }
}
