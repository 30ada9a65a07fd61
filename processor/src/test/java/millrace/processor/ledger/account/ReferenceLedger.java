package millrace.processor.ledger.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.processor.ledger.account.state.Balance;

/** Counts the credits of an account independently, from commands and published statuses alone. */
final class ReferenceLedger {
    private final Map<String, Long> grants = new HashMap<>();
    private final Map<UUID, Long> quotes = new HashMap<>();
    private final Map<UUID, Long> reserved = new HashMap<>();
    private final Map<UUID, Long> charged = new HashMap<>();

    void saw(AccountCommand command) {
        switch (command) {
            case AccountCommand.GrantCredits c when c.amount() > 0 -> grants.putIfAbsent(c.grantId(), c.amount());
            // Only remaining credits can expire.
            case AccountCommand.ExpireCredits c
            when c.amount() > 0 -> grants.putIfAbsent(c.expiryId(), -Math.min(c.amount(), remaining()));
            case AccountCommand.RequestReport c ->
                quotes.putIfAbsent(c.reportId(), c.quote().credits());
            default -> {}
        }
    }

    void saw(ReportStatus status) {
        UUID id = status.reportId();
        long quote = quotes.getOrDefault(id, 0L);
        assertThat(charged).as("nothing happens to a report that was charged").doesNotContainKey(id);
        if (status.status() == Status.PROCESSING) {
            assertThat(remaining() + reserved.getOrDefault(id, 0L)).isGreaterThanOrEqualTo(quote);
            reserved.put(id, quote);
        } else {
            reserved.remove(id);
        }
        if (status.result() != null) {
            assertThat(status.result().usedQuota()).isBetween(0L, quote);
            charged.put(id, status.result().usedQuota());
        }
    }

    Balance balance() {
        return new Balance(sum(grants), remaining(), sum(reserved), sum(charged));
    }

    private long remaining() {
        return sum(grants) - sum(reserved) - sum(charged);
    }

    private static long sum(Map<?, Long> amounts) {
        return amounts.values().stream().mapToLong(Long::longValue).sum();
    }
}
