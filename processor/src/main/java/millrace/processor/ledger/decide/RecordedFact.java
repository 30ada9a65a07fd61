package millrace.processor.ledger.decide;

import org.jspecify.annotations.Nullable;

/**
 * A fact, and the account and report after it.
 *
 * @param report null where the fact is not about a report
 */
public record RecordedFact(
        Fact fact, LedgerAccount account, @Nullable LedgerReport report) {}
