package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import org.jspecify.annotations.Nullable;

/** Reads the stored state of one account. Values are read when a decision needs them. */
public interface AccountReader {
    /** The account; {@link LedgerAccount#fresh} where nothing is stored. */
    LedgerAccount account();

    /** A report that is open, or that can be retried. */
    @Nullable
    LedgerReport report(UUID reportId);

    /** A report that has ended for good. */
    @Nullable
    EndedReport ended(UUID reportId);

    AccountCommand.@Nullable RequestReport request(UUID reportId);

    @Nullable
    SliceAnswer answer(AnswerKey key);

    boolean granted(String grantId);

    /** The report of {@link #report} that an Idempotency-Key belongs to, by the hash of the key; or null. */
    @Nullable
    UUID claimant(String keyHash);

    /** Whether an Idempotency-Key belongs to a report that has ended for good and is known. */
    boolean claimedByEnded(String keyHash);

    /** The report that holds a ticket, or null. */
    @Nullable
    UUID ticket(TicketKey key);

    /**
     * The version of the dataset that a new attempt reads; empty if the dataset has no data.
     *
     * @param pinned the version that it should read if the warehouse has it, or null for the current one
     */
    Optional<DataVersion> dataVersion(String dataset, @Nullable String pinned);

    /** @param publishedAt when it became current; null if the warehouse does not know, or if another one is current */
    record DataVersion(String name, @Nullable Instant publishedAt) {}

    /** Identifies the stored answer of a slice. */
    record AnswerKey(UUID reportId, int attempt, int slice) {}

    record TicketKey(Lane lane, long number) {}
}
