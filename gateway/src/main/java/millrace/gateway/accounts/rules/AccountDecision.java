package millrace.gateway.accounts.rules;

import java.util.List;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.commands.AccountCommand;
import millrace.gateway.problems.ProblemCode;

/** The result of a change, decided but not written. */
public sealed interface AccountDecision {

    /**
     * The account changes.
     *
     * @param commands for the ledger
     * @param credits the credits that they move, for the audit record
     */
    record Changed(
            AccountRecord after,
            AccountAudit.Action action,
            List<AccountCommand> commands,
            List<AccountAudit.Change> credits)
            implements AccountDecision {}

    /** The account is as the change asks already. */
    record Unchanged(AccountRecord record) implements AccountDecision {}

    /** The change is not possible, or what it is about does not exist; the sentence says why, or what. */
    record Refused(ProblemCode code, String sentence) implements AccountDecision {
        Refused(String sentence) {
            this(ProblemCode.CHANGE_REFUSED, sentence);
        }
    }
}
