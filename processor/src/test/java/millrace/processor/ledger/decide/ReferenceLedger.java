package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import org.jspecify.annotations.Nullable;

/** Counts the credits of an account independently, from commands and published statuses alone. */
final class ReferenceLedger {
    private final Map<String, Long> grants = new HashMap<>();
    private final Map<UUID, AccountCommand.RequestReport> requests = new HashMap<>();
    private final Map<UUID, Long> reserved = new HashMap<>();
    private final Map<UUID, Long> charged = new HashMap<>();

    void saw(AccountCommand command) {
        switch (command) {
            case AccountCommand.GrantCredits c when c.amount() > 0 -> grants.putIfAbsent(c.grantId(), c.amount());
            // Only remaining credits can expire.
            case AccountCommand.ExpireCredits c
            when c.amount() > 0 -> grants.putIfAbsent(c.expiryId(), -Math.min(c.amount(), remaining()));
            case AccountCommand.RequestReport c -> requests.putIfAbsent(c.reportId(), c);
            default -> {}
        }
    }

    /** @param version that its attempt reads; null where it has ended */
    void saw(ReportStatus status, @Nullable String version) {
        UUID id = status.reportId();
        assertThat(charged).as("nothing happens to a report that was charged").doesNotContainKey(id);
        long held = reserved.getOrDefault(id, 0L);
        if (status.status() == Status.PROCESSING) {
            long price = price(Objects.requireNonNull(requests.get(id)), version);
            assertThat(remaining() + held).isGreaterThanOrEqualTo(price);
            reserved.put(id, price);
        } else {
            reserved.remove(id);
        }
        if (status.result() != null) {
            assertThat(status.result().usedQuota()).isBetween(0L, held);
            charged.put(id, status.result().usedQuota());
        }
    }

    private static long price(AccountCommand.RequestReport request, @Nullable String version) {
        VersionPrice price = request.versionPrice();
        return price == null || !price.dataVersion().equals(version)
                ? request.quote().credits()
                : price.credits();
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
