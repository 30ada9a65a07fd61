package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import org.jspecify.annotations.Nullable;

/** Holds the state of one account in maps, in the form of the ledger's store. */
final class MemoryAccountReader implements AccountReader {
    /** When each version became current. */
    static final Instant PUBLISHED = LedgerSamples.NOON.minusSeconds(60);

    final Map<UUID, LedgerReport> reports = new HashMap<>();
    final Map<UUID, EndedReport> ended = new HashMap<>();
    final Map<UUID, AccountCommand.RequestReport> requests = new HashMap<>();
    final Map<AnswerKey, SliceAnswer> answers = new HashMap<>();
    final Map<TicketKey, UUID> tickets = new HashMap<>();
    final Map<String, Boolean> grants = new HashMap<>();
    final Map<String, UUID> claims = new HashMap<>();
    /** Idempotency-Keys of reports that have ended, and the reports. */
    final Map<String, UUID> endedClaims = new HashMap<>();

    /** Every report as it was last. */
    private final Map<UUID, LedgerReport> last = new HashMap<>();

    private final Ledger ledger = new Ledger(LedgerSamples.RULES);
    LedgerAccount account;

    @Nullable
    String dataVersion = "v1";

    /** Versions that the warehouse has beside the current one. */
    final Set<String> earlierVersions = new HashSet<>();

    MemoryAccountReader(String accountId) {
        account = LedgerAccount.fresh(accountId);
    }

    void save(PendingChanges changes) {
        account = changes.account();
        changes.ended().forEachChange((k, before, after) -> set(ended, k, after));
        changes.requests().forEachChange((k, before, after) -> set(requests, k, after));
        changes.answers().forEachChange((k, before, after) -> set(answers, k, after));
        changes.tickets().forEachChange((k, before, after) -> set(tickets, k, after));
        changes.grants().forEachChange((k, before, after) -> set(grants, k, after));
        changes.claims().forEachChange((k, before, after) -> set(claims, k, after));
        changes.reports().forEachChange((k, before, after) -> {
            set(last, k, after);
            set(reports, k, after);
            if (after != null && after.over()) {
                end(after);
            }
        });
        endedClaims.values().removeIf(id -> !ended.containsKey(id));
    }

    private void end(LedgerReport report) {
        UUID id = report.id();
        reports.remove(id);
        AccountCommand.RequestReport request = requests.remove(id);
        ended.put(id, ledger.ended(report, request));
        AccountCommand.Idempotency key = request == null ? null : request.idempotency();
        if (key != null && claims.remove(key.keyHash(), id)) {
            endedClaims.put(key.keyHash(), id);
        }
    }

    private static <K, V> void set(Map<K, V> map, K key, @Nullable V value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
    }

    /** The report that a test gives this name. */
    LedgerReport known(String name) {
        return Objects.requireNonNull(last.get(LedgerSamples.id(name)));
    }

    /** The whole state, for comparisons. */
    Object content() {
        return List.of(account, reports, ended, requests, answers, tickets, grants, claims, endedClaims);
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
        return ended.get(reportId);
    }

    @Override
    public AccountCommand.@Nullable RequestReport request(UUID reportId) {
        return requests.get(reportId);
    }

    @Override
    public @Nullable SliceAnswer answer(AnswerKey key) {
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
    public boolean claimedByEnded(String keyHash) {
        return endedClaims.containsKey(keyHash);
    }

    @Override
    public @Nullable UUID ticket(TicketKey key) {
        return tickets.get(key);
    }

    @Override
    public Optional<DataVersion> dataVersion(String dataset, @Nullable String pinned) {
        String version = pinned != null && earlierVersions.contains(pinned) ? pinned : dataVersion;
        return Optional.ofNullable(version).map(v -> new DataVersion(v, PUBLISHED));
    }
}
