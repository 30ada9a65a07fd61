package millrace.processor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import millrace.contracts.AccountCommand;
import millrace.contracts.Json;
import millrace.processor.account.Account;
import millrace.processor.account.Answer;
import millrace.processor.account.Draft;
import millrace.processor.account.Ledger;
import millrace.processor.account.Report;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** The state of the account step, one store per kind; every key begins with the account. */
record LedgerStores(
        RecentValues<Account> accounts,
        RecentValues<Report> reports,
        RecentValues<AccountCommand.RequestReport> requests,
        KeyValueStore<String, Answer> answers,
        KeyValueStore<String, UUID> tickets,
        KeyValueStore<String, Boolean> grants,
        KeyValueStore<String, UUID> claims,
        Agenda agenda,
        VersionUse versions) {

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

    /** Of a partition, decoded, in memory. */
    private static final int ACCOUNTS_KEPT = 1_000;

    private static final int REPORTS_KEPT = 1_000;
    /** Together in all requests that are kept. */
    private static final int ENTITIES_KEPT = 20_000;

    static List<StoreBuilder<?>> builders() {
        return List.of(
                store(ACCOUNTS, Account.class).withCachingEnabled(),
                store(REPORTS, Report.class).withCachingEnabled(),
                store(REQUESTS, AccountCommand.RequestReport.class),
                store(ANSWERS, Answer.class),
                store(TICKETS, UUID.class),
                store(GRANTS, Boolean.class),
                store(IDEMPOTENCY, UUID.class),
                store(AGENDA, Agenda.Item.class),
                // Almost every report begins and ends with the same version.
                store(VERSIONS, Integer.class).withCachingEnabled());
    }

    static LedgerStores of(ProcessorContext<?, ?> context, Ledger ledger) {
        return new LedgerStores(
                new RecentValues<>(context.getStateStore(ACCOUNTS), account -> 1, ACCOUNTS_KEPT),
                new RecentValues<>(context.getStateStore(REPORTS), report -> 1, REPORTS_KEPT),
                new RecentValues<>(context.getStateStore(REQUESTS), LedgerStores::entities, ENTITIES_KEPT),
                context.getStateStore(ANSWERS),
                context.getStateStore(TICKETS),
                context.getStateStore(GRANTS),
                context.getStateStore(IDEMPOTENCY),
                new Agenda(context.getStateStore(AGENDA), ledger),
                new VersionUse(context.getStateStore(VERSIONS)));
    }

    /** Writes what the draft has changed. */
    void save(Draft draft) {
        String account = draft.account().id();
        if (!draft.account().equals(draft.accountBefore())) {
            accounts.put(account, draft.account());
        }
        agenda.move(draft);
        versions.count(draft);
        draft.reports().forEachWrite((id, after) -> set(reports, Keys.report(account, id), after));
        draft.requests().forEachWrite((id, after) -> set(requests, Keys.report(account, id), after));
        draft.answers().forEachWrite((key, after) -> set(answers, Keys.answer(account, key), after));
        draft.tickets().forEachWrite((key, after) -> set(tickets, Keys.ticket(account, key), after));
        draft.grants().forEachWrite((id, after) -> set(grants, Keys.under(account, id), after));
        draft.claims().forEachWrite((hash, after) -> set(claims, Keys.under(account, hash), after));
    }

    /** What it weighs: even one of few entities has other lists. */
    private static int entities(AccountCommand.RequestReport request) {
        return 20 + request.request().query().entities().size();
    }

    private static <V> void set(RecentValues<V> store, String key, @Nullable V value) {
        if (value == null) {
            store.delete(key);
        } else {
            store.put(key, value);
        }
    }

    /** To delete by putting nothing does not read what was there, as the store's own delete does. */
    private static <V> void set(KeyValueStore<String, V> store, String key, @Nullable V value) {
        store.put(key, value);
    }

    private static <V> StoreBuilder<KeyValueStore<String, V>> store(String name, Class<V> type) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), serde(type));
    }

    private static <V> Serde<V> serde(Class<V> type) {
        return Serdes.serdeFrom(
                (topic, value) -> value == null ? null : Json.bytes(value),
                (topic, bytes) -> bytes == null ? null : read(bytes, type));
    }

    private static <V> V read(byte[] bytes, Class<V> type) {
        try {
            return Json.MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new UncheckedIOException("a store holds what is no " + type.getSimpleName(), e);
        }
    }
}
