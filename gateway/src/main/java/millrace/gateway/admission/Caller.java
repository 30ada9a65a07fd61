package millrace.gateway.admission;

import millrace.contracts.Dialect;
import millrace.runtime.Account;

/** Who asks: the account of a key that was presented, and what the key opens. */
public record Caller(Account account, Account.Kind kind, Dialect dialect) {
    public String accountId() {
        return account.id();
    }
}
