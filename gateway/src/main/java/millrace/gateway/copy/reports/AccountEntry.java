package millrace.gateway.copy.reports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.accounts.AccountState;
import org.jspecify.annotations.Nullable;

/**
 * One account in the read model: its balance as the ledger wrote it, and its submissions that the ledger has not
 * decided. Its lock guards all changes to it and to what is pending of its reports.
 */
final class AccountEntry {
    private final String id;
    private final Map<UUID, Long> unanswered = new HashMap<>();
    private final Map<UUID, Set<UUID>> reportsByKey = new HashMap<>();
    /**
     * Grants that the ledger has not decided, by id. They are the balance until the ledger has
     * written one.
     */
    private final Map<String, Long> grants = new HashMap<>();

    private @Nullable AccountState state;
    private long unansweredCredits;
    /** Reports that have not ended, of those that the ledger has written. */
    private int storedOpen;

    AccountEntry(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    synchronized void state(AccountState newest) {
        state = newest;
        grants.clear();
    }

    /**
     * Counts a grant until the ledger has written a balance. The ledger applies each grant once.
     */
    synchronized void grant(String grantId, long credits) {
        if (state == null) {
            grants.put(grantId, credits);
        }
    }

    synchronized Optional<AccountState> state() {
        return Optional.ofNullable(state);
    }

    /** Whether a balance or a grant is known. */
    synchronized boolean hasBalance() {
        return state != null || !grants.isEmpty();
    }

    synchronized long remaining() {
        long balance = state == null
                ? grants.values().stream().mapToLong(Long::longValue).sum()
                : state.remaining();
        return Math.max(0, balance - unansweredCredits);
    }

    /** Reports that have not ended. */
    synchronized int openReports() {
        return storedOpen + unanswered.size();
    }

    synchronized void countStoredOpen(int more) {
        storedOpen += more;
    }

    /** Counts none of what is stored, until it is counted again. */
    synchronized void recount() {
        storedOpen = 0;
    }

    synchronized int open() {
        return (state == null ? 0 : state.openReports()) + unanswered.size();
    }

    /** Counts the credits of a command that the ledger has not decided. */
    synchronized void unanswered(UUID reportId, long credits) {
        Long before = unanswered.put(reportId, credits);
        unansweredCredits += credits - (before == null ? 0 : before);
    }

    synchronized void answered(UUID reportId) {
        Long credits = unanswered.remove(reportId);
        unansweredCredits -= credits == null ? 0 : credits;
    }

    synchronized boolean isUnanswered(UUID reportId) {
        return unanswered.containsKey(reportId);
    }

    /** Reports whose newest command the ledger has not decided. */
    synchronized List<UUID> unanswered() {
        return new ArrayList<>(unanswered.keySet());
    }

    /** The report is pending with the Idempotency-Key. */
    synchronized void key(UUID key, UUID reportId) {
        reportsByKey.computeIfAbsent(key, k -> new HashSet<>(2)).add(reportId);
    }

    synchronized void forgetKey(UUID key, UUID reportId) {
        reportsByKey.computeIfPresent(key, (k, reports) -> {
            reports.remove(reportId);
            return reports.isEmpty() ? null : reports;
        });
    }

    synchronized List<UUID> reports(UUID key) {
        return new ArrayList<>(reportsByKey.getOrDefault(key, Set.of()));
    }
}
