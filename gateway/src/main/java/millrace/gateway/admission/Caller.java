package millrace.gateway.admission;

import millrace.contracts.requests.ApiDialect;
import millrace.runtime.accounts.DeclaredAccount;

/** Who asks: the account of a key that was presented, and what the key opens. */
public record Caller(DeclaredAccount account, DeclaredAccount.Kind kind, ApiDialect dialect) {
    public String accountId() {
        return account.id();
    }
}
