package millrace.processor.ledger.account.state;

import org.jspecify.annotations.Nullable;

/**
 * A fact with what it made of the account and of its report.
 *
 * @param report null where the fact is not about one
 */
public record RecordedFact(
        Fact fact, LedgerAccount account, @Nullable LedgerReport report) {}
