package millrace.bench.micro;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.decide.AccountReader;
import millrace.processor.ledger.decide.EndedReport;
import millrace.processor.ledger.decide.LedgerAccount;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.PendingChanges;
import millrace.processor.ledger.decide.SliceAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one account in maps: reports of one slice, no repeated grants, no Idempotency-Keys.
 */
final class SingleAccount implements AccountReader {
    private final Map<UUID, LedgerReport> reports = new HashMap<>();
    private final Map<UUID, AccountCommand.RequestReport> requests = new HashMap<>();
    private final Map<TicketKey, UUID> tickets = new HashMap<>();
    private LedgerAccount account;

    SingleAccount(String id) {
        account = LedgerAccount.fresh(id);
    }

    void save(PendingChanges changes) {
        account = changes.account();
        changes.reports().forEachChange((id, before, after) -> set(reports, id, after));
        changes.requests().forEachChange((id, before, after) -> set(requests, id, after));
        changes.tickets().forEachChange((key, before, after) -> set(tickets, key, after));
    }

    /** Keeps the state from growing with each call. */
    void forget(UUID report) {
        reports.remove(report);
        requests.remove(report);
    }

    @Override
    public LedgerAccount account() {
        return account;
    }

    @Override
    public @Nullable LedgerReport report(UUID reportId) {
        return reports.get(reportId);
    }

    @Override
    public @Nullable EndedReport ended(UUID reportId) {
        return null;
    }

    @Override
    public AccountCommand.@Nullable RequestReport request(UUID reportId) {
        return requests.get(reportId);
    }

    @Override
    public @Nullable SliceAnswer answer(AnswerKey key) {
        return null;
    }

    @Override
    public boolean granted(String grantId) {
        return false;
    }

    @Override
    public @Nullable UUID claimant(String keyHash) {
        return null;
    }

    @Override
    public boolean claimedByEnded(String keyHash) {
        return false;
    }

    @Override
    public @Nullable UUID ticket(TicketKey key) {
        return tickets.get(key);
    }

    @Override
    public Optional<String> dataVersion(String dataset) {
        return Optional.of("v1");
    }

    private static <K, V> void set(Map<K, V> map, K key, @Nullable V value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
    }
}
