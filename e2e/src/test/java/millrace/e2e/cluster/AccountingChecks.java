package millrace.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.CommittedTopicReader;

/** Checks that hold after any failure: each report is charged once, nothing is reserved, every event is delivered. */
final class AccountingChecks {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Cluster cluster;

    AccountingChecks(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Checks the ledger of accounts that submit nothing meanwhile. */
    void eachChargedOnce(Collection<String> reports) {
        List<LedgerEntry> ledger = CommittedTopicReader.read(cluster.bootstrapServers(), Topics.CREDIT_LEDGER);
        assertThat(ledger).extracting(LedgerEntry::entryId).doesNotHaveDuplicates();
        assertThat(settled(ledger).keySet()).containsAll(reports);
        ledger.stream()
                .collect(Collectors.groupingBy(LedgerEntry::accountId))
                .values()
                .forEach(AccountingChecks::isClosed);
    }

    /** Checks all entries of an account, in order. */
    private static void isClosed(List<LedgerEntry> account) {
        for (int i = 0; i < account.size(); i++) {
            LedgerEntry entry = account.get(i);
            assertThat(entry.sequence()).isEqualTo(i + 1);
            assertThat(entry.granted()).isEqualTo(entry.remaining() + entry.reserved() + entry.used());
        }
        assertThat(account.getLast().reserved()).isZero();
        assertThat(account.getLast().used())
                .isEqualTo(settled(account).values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private static Map<String, Long> settled(List<LedgerEntry> ledger) {
        return ledger.stream()
                .filter(entry -> entry.kind() == LedgerEntry.Kind.SETTLEMENT)
                .collect(Collectors.toMap(entry -> String.valueOf(entry.reportId()), LedgerEntry::amount));
    }

    /** Waits until the receiver has both events of each report. Returns, by report, when the last one arrived. */
    Map<String, Instant> awaitBothEvents(Collection<String> reports) {
        Set<String> wanted = reports.stream()
                .flatMap(report -> Stream.of(report + ".1", report + ".2"))
                .collect(Collectors.toSet());
        Map<String, Instant> arrivals = new HashMap<>();
        await("webhooks").atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            for (Cluster.ReceivedWebhook one : cluster.webhooks()) {
                arrivals.merge(one.id(), one.at(), (a, b) -> a.isBefore(b) ? a : b);
            }
            assertThat(arrivals.keySet()).containsAll(wanted);
        });
        return reports.stream()
                .collect(Collectors.toMap(
                        report -> report, report -> arrivals.getOrDefault(report + ".2", Instant.MAX)));
    }
}
