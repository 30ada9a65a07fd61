package millrace.processor.account;

import org.jspecify.annotations.Nullable;

/**
 * A fact with what it made of the account and of its report.
 *
 * @param report null where the fact is not about one
 */
public record Step(Fact fact, Account account, @Nullable Report report) {}
