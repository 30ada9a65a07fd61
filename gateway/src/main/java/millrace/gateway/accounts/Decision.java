package millrace.gateway.accounts;

import java.util.List;
import millrace.contracts.AccountAudit;
import millrace.contracts.AccountCommand;
import millrace.contracts.AccountRecord;

/** What comes of a change. */
public sealed interface Decision {

    /**
     * @param commands for the ledger
     * @param credits what they move, for the audit
     */
    record Changed(
            AccountRecord after,
            AccountAudit.Action action,
            List<AccountCommand> commands,
            List<AccountAudit.Change> credits)
            implements Decision {}

    /** It is so already. */
    record Unchanged(AccountRecord record) implements Decision {}

    /** There is no such account, or no such key of it; a sentence. */
    record Unknown(String sentence) implements Decision {}

    /** It cannot be; a sentence. */
    record Refused(String sentence) implements Decision {}
}
