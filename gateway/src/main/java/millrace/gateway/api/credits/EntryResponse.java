package millrace.gateway.api.credits;

import java.time.Instant;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.gateway.copy.activity.ActivityQueries;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a ledger entry.
 *
 * @param dataset of the report; absent where there is none, or Kafka does not know the report any
 *     more
 * @param granted after this entry, like the three that follow
 */
public record EntryResponse(
        String entryId,
        long sequence,
        LedgerEntry.Kind kind,
        @Nullable UUID reportId,
        @Nullable String dataset,
        long amount,
        long granted,
        long reserved,
        long used,
        long remaining,
        Instant occurredAt) {

    public static EntryResponse of(LedgerEntry entry, @Nullable String dataset) {
        return new EntryResponse(
                entry.entryId(),
                entry.sequence(),
                entry.kind(),
                entry.reportId(),
                dataset,
                entry.amount(),
                entry.granted(),
                entry.reserved(),
                entry.used(),
                entry.remaining(),
                entry.occurredAt());
    }

    static EntryResponse of(ActivityQueries.Entry found) {
        return of(found.entry(), found.dataset());
    }
}
