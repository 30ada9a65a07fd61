package millrace.gateway.copy.activity;

import java.time.Instant;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.DataVersionAvailable;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Something that happened to an account. */
public sealed interface ActivityEvent {
    Place place();

    Instant occurredAt();

    /** The record that an event comes from. */
    record Place(TopicPartition partition, long offset) {
        /** {@code report-events.3.1042}, the same at every gateway. */
        public String id() {
            return partition.topic() + "." + partition.partition() + "." + offset;
        }
    }

    /** A change of a report's status. */
    record ReportChanged(Place place, ReportStatus report) implements ActivityEvent {
        @Override
        public Instant occurredAt() {
            return report.updatedAt();
        }
    }

    /** An attempt to deliver a webhook. */
    record Attempted(Place place, WebhookAttempt attempt) implements ActivityEvent {
        @Override
        public Instant occurredAt() {
            return attempt.startedAt();
        }
    }

    /**
     * An entry of the ledger.
     *
     * @param dataset of its report; null where it has none, or Kafka does not know the report any
     *     more
     * @param lowBelow a tenth of the last grant, where remaining fell below it with this entry
     */
    record Entered(
            Place place,
            LedgerEntry entry,
            @Nullable String dataset,
            @Nullable Long lowBelow) implements ActivityEvent {
        @Override
        public Instant occurredAt() {
            return entry.occurredAt();
        }
    }

    /** New reports of a dataset read another version of the data; of all accounts that may see it. */
    record VersionAvailable(Place place, DataVersionAvailable version) implements ActivityEvent {
        @Override
        public Instant occurredAt() {
            return version.occurredAt();
        }
    }
}
