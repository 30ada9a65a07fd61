package millrace.simulation.invariants;

import static millrace.simulation.invariants.InvariantViolated.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;

/**
 * Checks that credits are never lost or charged twice: after each entry granted = remaining + reserved + used, and no
 * report is settled twice.
 */
public final class CreditInvariants {
    private final Map<String, LedgerEntry> last = new HashMap<>();
    private final Set<String> ids = new HashSet<>();
    private final Map<UUID, Long> reserved = new HashMap<>();

    public void take(LedgerEntry entry) {
        LedgerEntry before = last.put(entry.accountId(), entry);
        long sequence = before == null ? 0 : before.sequence();
        check(entry.sequence() == sequence + 1, "after entry %d of %s comes %s", sequence, entry.accountId(), entry);
        check(ids.add(entry.accountId() + "/" + entry.entryId()), "an entry comes twice: %s", entry);
        check(
                entry.granted() == entry.remaining() + entry.reserved() + entry.used()
                        && entry.remaining() >= 0
                        && entry.reserved() >= 0,
                "the balance of %s does not add up: %s",
                entry.accountId(),
                entry);
        UUID report = entry.reportId();
        if (report != null) {
            long change =
                    switch (entry.kind()) {
                        case RESERVATION -> entry.amount();
                        case SETTLEMENT, RELEASE -> -entry.amount();
                        case GRANT, EXPIRY, OPENING -> 0;
                    };
            long now = reserved.merge(report, change, Long::sum);
            check(now >= 0, "more is taken from the reservation of %s than there is: %s", report, entry);
        }
    }

    /** Checks that nothing is reserved for a report that has ended. */
    public void end() {
        reserved.forEach((report, amount) -> check(amount == 0, "%d credits stay reserved for %s", amount, report));
    }
}
