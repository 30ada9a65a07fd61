package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import org.jspecify.annotations.Nullable;

/** A fact that the ledger decided. State and published records follow from facts alone. */
public sealed interface Fact {

    /** An entry of the ledger. {@code reportId} is null for grants, expiries and openings. */
    record Entered(
            LedgerEntry.Kind kind, String entryId, @Nullable UUID reportId, long amount) implements Fact {}

    /** The grant, or expiry, with this id is applied, and will be ignored when it is repeated. */
    record Granted(String grantId) implements Fact {}

    /** The report exists; nothing is reserved yet. */
    record Accepted(AccountCommand.RequestReport request) implements Fact {}

    /** The Idempotency-Key with this hash belongs to the report. */
    record Claimed(String keyHash, UUID reportId) implements Fact {}

    /** The next attempt of the report may cost this at most, and not what was expected. */
    record Quoted(UUID reportId, Quote quote) implements Fact {}

    /**
     * An attempt begins; its credits are reserved and its slices planned.
     *
     * @param publishedAt when the version became current; null if the warehouse does not know
     * @param limit most rows of the report, or null
     * @param offset rows to leave out before its first one, or null
     * @param slicesPerPart how many slices become one file; null if all of them do
     */
    record Started(
            UUID reportId,
            int attempt,
            String dataVersion,
            @Nullable Instant publishedAt,
            Lane lane,
            int slices,
            @Nullable Integer limit,
            @Nullable Integer offset,
            @Nullable Integer slicesPerPart)
            implements Fact {}

    /** The report waits for a turn in this lane. */
    record Queued(UUID reportId, Lane lane) implements Fact {}

    /** The next ticket of the lane is called. The report is null where the turn is skipped. */
    record Called(@Nullable UUID reportId, Lane lane) implements Fact {}

    /** A slice, or what puts slices together, is handed out. */
    record Dispatched(UUID reportId, Lane lane, RenderTask task, Instant due) implements Fact {}

    /** A worker reported that the slice is running, so its lease is renewed. */
    record Renewed(UUID reportId, int slice, Instant due) implements Fact {}

    /** The slice is rendered; its first answer counts. {@code skipped} rows were left out before its first one. */
    record Answered(UUID reportId, int slice, StoredFile file, ResultCounts counts, long skipped) implements Fact {}

    /** The slices of a part are put together to a file of so many rows; their own files are not needed any more. */
    record Joined(UUID reportId, int part, StoredFile file, long rows) implements Fact {}

    /** The report made progress that is published. */
    record Progressed(UUID reportId, ReportStatus.Progress progress) implements Fact {}

    record Completed(UUID reportId, ReportStatus.Result result) implements Fact {}

    /** The attempt failed, or could not begin. */
    record Failed(UUID reportId, int attempt, ReportStatus.Failure failure) implements Fact {}

    /**
     * Nothing needs these files of the report any more; they are to be deleted. Where a report that has ended loses its
     * own file, it is not due again.
     *
     * @param files names, or a folder of which all files go
     */
    record Unneeded(UUID reportId, FileDeletion.Reason reason, List<String> files) implements Fact {
        public Unneeded {
            files = List.copyOf(files);
        }
    }

    /** What the report was is deleted. That it was there is known until it is forgotten. */
    record Erased(UUID reportId) implements Fact {}

    /** All state of the report is deleted. */
    record Forgotten(UUID reportId) implements Fact {}
}
