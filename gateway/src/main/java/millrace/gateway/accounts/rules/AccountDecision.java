package millrace.gateway.accounts.rules;

import java.util.List;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.commands.AccountCommand;

/** What comes of a change. */
public sealed interface AccountDecision {

    /**
     * @param commands for the ledger
     * @param credits what they move, for the audit
     */
    record Changed(
            AccountRecord after,
            AccountAudit.Action action,
            List<AccountCommand> commands,
            List<AccountAudit.Change> credits)
            implements AccountDecision {}

    /** It is so already. */
    record Unchanged(AccountRecord record) implements AccountDecision {}

    /** There is no such account, or no such key of it; a sentence. */
    record Unknown(String sentence) implements AccountDecision {}

    /** It cannot be; a sentence. */
    record Refused(String sentence) implements AccountDecision {}
}
