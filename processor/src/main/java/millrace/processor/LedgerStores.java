package millrace.processor;

import java.util.UUID;
import millrace.contracts.AccountCommand;
import millrace.processor.account.Account;
import millrace.processor.account.Answer;
import millrace.processor.account.Draft;
import millrace.processor.account.Ledger;
import millrace.processor.account.Report;
import millrace.runtime.SettingsException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The state of the account step: several kinds of values in one store, and every key begins with its kind, then the account. A store
 * of its own for each would be a database to open and a topic to write for each, in every partition.
 */
record LedgerStores(
        StateForm form,
        RecentValues<Account> accounts,
        RecentValues<Report> reports,
        RecentValues<AccountCommand.RequestReport> requests,
        Shelf<Answer> answers,
        Shelf<UUID> tickets,
        Shelf<Boolean> grants,
        Shelf<UUID> claims,
        Agenda agenda,
        VersionUse versions) {
    static final String STORE = "ledger";

    /** Of which form all of this is. */
    static final String FORM = "form";

    /** Key: account. */
    static final String ACCOUNTS = "accounts";
    /** Key: account / report. */
    static final String REPORTS = "reports";
    /** Key: account / report. Requests never change, and are large. */
    static final String REQUESTS = "requests";
    /** Key: account / report / attempt / slice. Until the report is put together. */
    static final String ANSWERS = "slice-answers";
    /** Key: account / lane / number. Reports that wait for a turn. */
    static final String TICKETS = "tickets";
    /** Key: account / grant. */
    static final String GRANTS = "grants";
    /** Key: account / hash of the Idempotency-Key. */
    static final String IDEMPOTENCY = "idempotency";
    /** Key: time / account, or time / account / report. Leases, openings and what will be forgotten. */
    static final String AGENDA = "agenda";

    /** Key: dataset / version. How many open reports read it. */
    static final String VERSIONS = "data-versions";

    /** Bytes in the store of what is kept decoded, of each partition. Decoded it takes two to four times as many. */
    private static final int ACCOUNTS_KEPT = 256 * 1024;

    private static final int REPORTS_KEPT = 1024 * 1024;
    private static final int REQUESTS_KEPT = 1024 * 1024;

    /** Cached: much is written several times in one transaction. */
    static StoreBuilder<KeyValueStore<String, byte[]>> builder() {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray())
                .withCachingEnabled();
    }

    /** @throws SettingsException where the state is of a form that this build does not know */
    static LedgerStores of(ProcessorContext<?, ?> context, Ledger ledger) {
        KeyValueStore<String, byte[]> store = context.getStateStore(STORE);
        return new LedgerStores(
                StateForm.read(new Shelf<>(store, FORM, Integer.class)),
                new RecentValues<>(new Shelf<>(store, ACCOUNTS, Account.class), ACCOUNTS_KEPT),
                new RecentValues<>(new Shelf<>(store, REPORTS, Report.class), REPORTS_KEPT),
                new RecentValues<>(new Shelf<>(store, REQUESTS, AccountCommand.RequestReport.class), REQUESTS_KEPT),
                new Shelf<>(store, ANSWERS, Answer.class),
                new Shelf<>(store, TICKETS, UUID.class),
                new Shelf<>(store, GRANTS, Boolean.class),
                new Shelf<>(store, IDEMPOTENCY, UUID.class),
                new Agenda(new Shelf<>(store, AGENDA, Agenda.Item.class), ledger),
                new VersionUse(new Shelf<>(store, VERSIONS, Integer.class)));
    }

    /** Writes what the draft has changed. */
    void save(Draft draft) {
        String account = draft.account().id();
        if (!draft.account().equals(draft.accountBefore())) {
            accounts.put(account, draft.account());
        }
        agenda.move(draft);
        versions.count(draft);
        draft.reports().forEachWrite((id, after) -> reports.put(Keys.report(account, id), after));
        draft.requests().forEachWrite((id, after) -> requests.put(Keys.report(account, id), after));
        draft.answers().forEachWrite((key, after) -> answers.put(Keys.answer(account, key), after));
        draft.tickets().forEachWrite((key, after) -> tickets.put(Keys.ticket(account, key), after));
        draft.grants().forEachWrite((id, after) -> grants.put(Keys.under(account, id), after));
        draft.claims().forEachWrite((hash, after) -> claims.put(Keys.under(account, hash), after));
    }
}
