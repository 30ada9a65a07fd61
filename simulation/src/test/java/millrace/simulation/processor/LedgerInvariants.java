package millrace.simulation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.simulation.kafka.SimulatedKafka;

/** Checks the topics that the ledger writes, whatever happens to its processes. */
final class LedgerInvariants {
    private final CommittedRecords<LedgerEntry> entries;
    private final CommittedRecords<ReportEvent> events;
    private final Map<String, LedgerEntry> lastEntries = new LinkedHashMap<>();
    private final Set<String> entryIds = new LinkedHashSet<>();
    private final Map<UUID, ReportStatus> lastEvents = new LinkedHashMap<>();
    private final Map<UUID, ReportStatus> ended = new LinkedHashMap<>();

    LedgerInvariants(SimulatedKafka kafka, int partitions) {
        this.entries = new CommittedRecords<>(kafka, Topics.CREDIT_LEDGER, partitions);
        this.events = new CommittedRecords<>(kafka, Topics.REPORT_EVENTS, partitions);
    }

    /** Checks the records that were committed since the last call. */
    void check() {
        entries.read(this::check);
        events.read(event -> check(event.report()));
    }

    private void check(LedgerEntry entry) {
        assertThat(entry.granted())
                .as("granted = remaining + reserved + used in %s", entry)
                .isEqualTo(entry.remaining() + entry.reserved() + entry.used());
        assertThat(Math.min(entry.remaining(), Math.min(entry.reserved(), entry.used())))
                .as("nothing below zero in %s", entry)
                .isNotNegative();
        LedgerEntry last = lastEntries.put(entry.accountId(), entry);
        assertThat(entry.sequence()).as("no gap before %s", entry).isEqualTo(last == null ? 1 : last.sequence() + 1);
        assertThat(entryIds.add(entry.accountId() + "/" + entry.entryId()))
                .as("once: %s", entry)
                .isTrue();
    }

    private void check(ReportStatus status) {
        ReportStatus last = lastEvents.put(status.reportId(), status);
        assertThat(status.sequence())
                .as("in order after %s: %s", last, status)
                .isEqualTo(last == null ? 1 : last.sequence() + 1);
        if (status.status() != Status.PROCESSING) {
            assertThat(ended.put(status.reportId(), status))
                    .as("ends once: %s", status)
                    .isNull();
        }
    }

    /** The last status of each report that has ended. */
    Map<UUID, ReportStatus> ended() {
        return ended;
    }

    /** The reserved credits of all accounts. */
    long reserved() {
        return lastEntries.values().stream().mapToLong(LedgerEntry::reserved).sum();
    }
}
