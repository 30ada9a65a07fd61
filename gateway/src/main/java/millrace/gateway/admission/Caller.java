package millrace.gateway.admission;

import millrace.contracts.requests.ApiDialect;
import millrace.runtime.accounts.DeclaredAccount;

/**
 * The account whose key a request carries, with the kind of the key and the API dialect it answers
 * in.
 */
public record Caller(DeclaredAccount account, DeclaredAccount.Kind kind, ApiDialect dialect) {
    public String accountId() {
        return account.id();
    }
}
