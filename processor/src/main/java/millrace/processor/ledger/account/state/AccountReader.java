package millrace.processor.ledger.account.state;

import java.util.Optional;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import org.jspecify.annotations.Nullable;

/** What is known about one account before a command, read where it is needed. */
public interface AccountReader {
    /** {@link LedgerAccount#fresh} where nothing has happened yet. */
    LedgerAccount account();

    @Nullable
    LedgerReport report(UUID reportId);

    AccountCommand.@Nullable RequestReport request(UUID reportId);

    @Nullable
    SliceAnswer answer(AnswerKey key);

    boolean granted(String grantId);

    /** The report that an Idempotency-Key (as hash) belongs to. */
    @Nullable
    UUID claimant(String keyHash);

    /** The report that holds a ticket. */
    @Nullable
    UUID ticket(TicketKey key);

    /** The version of the dataset's data that a new attempt reads; empty where there are no data. */
    Optional<String> dataVersion(String dataset);

    /** The answer kept for a slice of an attempt. */
    record AnswerKey(UUID reportId, int attempt, int slice) {}

    record TicketKey(Lane lane, long number) {}
}
