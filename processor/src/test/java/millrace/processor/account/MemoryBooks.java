package millrace.processor.account;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.AccountCommand;
import org.jspecify.annotations.Nullable;

/** The books of one account in maps. */
final class MemoryBooks implements Books {
    final Map<UUID, Report> reports = new HashMap<>();
    final Map<UUID, AccountCommand.RequestReport> requests = new HashMap<>();
    final Map<AnswerKey, Answer> answers = new HashMap<>();
    final Map<TicketKey, UUID> tickets = new HashMap<>();
    final Map<String, Boolean> grants = new HashMap<>();
    final Map<String, UUID> claims = new HashMap<>();
    Account account;

    @Nullable
    String dataVersion = "v1";

    MemoryBooks(String accountId) {
        account = Account.fresh(accountId);
    }

    void save(Draft draft) {
        account = draft.account();
        draft.reports().forEachChange((k, before, after) -> set(reports, k, after));
        draft.requests().forEachChange((k, before, after) -> set(requests, k, after));
        draft.answers().forEachChange((k, before, after) -> set(answers, k, after));
        draft.tickets().forEachChange((k, before, after) -> set(tickets, k, after));
        draft.grants().forEachChange((k, before, after) -> set(grants, k, after));
        draft.claims().forEachChange((k, before, after) -> set(claims, k, after));
    }

    private static <K, V> void set(Map<K, V> map, K key, @Nullable V value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
    }

    /** The report that a test calls so. */
    Report known(String name) {
        return Objects.requireNonNull(reports.get(Samples.id(name)));
    }

    /** All of it, for comparing. */
    Object content() {
        return List.of(account, reports, requests, answers, tickets, grants, claims);
    }

    @Override
    public Account account() {
        return account;
    }

    @Override
    public @Nullable Report report(UUID reportId) {
        return reports.get(reportId);
    }

    @Override
    public AccountCommand.@Nullable RequestReport request(UUID reportId) {
        return requests.get(reportId);
    }

    @Override
    public @Nullable Answer answer(AnswerKey key) {
        return answers.get(key);
    }

    @Override
    public boolean granted(String grantId) {
        return grants.containsKey(grantId);
    }

    @Override
    public @Nullable UUID claimant(String keyHash) {
        return claims.get(keyHash);
    }

    @Override
    public @Nullable UUID ticket(TicketKey key) {
        return tickets.get(key);
    }

    @Override
    public Optional<String> dataVersion(String dataset) {
        return Optional.ofNullable(dataVersion);
    }
}
