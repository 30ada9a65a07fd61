package millrace.processor.ledger.account.state;

import java.time.Instant;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import org.jspecify.annotations.Nullable;

/** Something that the ledger decided; all state and all that is published follows from these. */
public sealed interface Fact {

    /** One line of the ledger. {@code reportId} is null for grants, expiries and openings. */
    record Entered(
            LedgerEntry.Kind kind, String entryId, @Nullable UUID reportId, long amount) implements Fact {}

    /** This grant, or expiry, will not count again. */
    record Granted(String grantId) implements Fact {}

    /** The report exists from now on; nothing is reserved yet. */
    record Accepted(AccountCommand.RequestReport request) implements Fact {}

    /** The Idempotency-Key (as hash) belongs to this report from now on. */
    record Claimed(String keyHash, UUID reportId) implements Fact {}

    /** An attempt begins: its credits are reserved, its slices planned. */
    record Started(
            UUID reportId,
            int attempt,
            String dataVersion,
            Lane lane,
            int slices,
            @Nullable Integer limit) implements Fact {}

    /** The report waits for a turn. */
    record Queued(UUID reportId, Lane lane) implements Fact {}

    /** The next ticket of the lane has been called; it is this report's, or null where it is skipped. */
    record Called(@Nullable UUID reportId, Lane lane) implements Fact {}

    /** A task is handed out. */
    record Dispatched(UUID reportId, Lane lane, RenderTask task, Instant due) implements Fact {}

    /** A worker was heard of. */
    record Renewed(UUID reportId, int slice, Instant due) implements Fact {}

    /** The first answer for a slice. */
    record Answered(UUID reportId, int slice, StoredFile file, ResultCounts counts) implements Fact {}

    /** Clients can see that the report got further. */
    record Progressed(UUID reportId, ReportStatus.Progress progress) implements Fact {}

    record Completed(UUID reportId, ReportStatus.Result result) implements Fact {}

    /** The attempt ended, or could not begin. */
    record Failed(UUID reportId, int attempt, ReportStatus.Failure failure) implements Fact {}

    /** Nothing about the report is known any more. */
    record Forgotten(UUID reportId) implements Fact {}
}
