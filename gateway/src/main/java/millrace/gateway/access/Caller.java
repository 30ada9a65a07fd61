package millrace.gateway.access;

import java.time.Instant;
import java.util.Set;
import millrace.catalog.access.Entitlements;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/**
 * The account whose key a request carries, with the kind of the key and the API dialect it answers
 * in.
 *
 * @param entitlements of the account
 * @param scopes what the key opens; all of them where it has none
 * @param expiresAt the key opens nothing from then on; null where it does not expire
 */
public record Caller(
        AccountRecord account,
        Entitlements entitlements,
        AccountRecord.KeyKind kind,
        ApiDialect dialect,
        String keyId,
        Set<KeyScope> scopes,
        @Nullable Instant expiresAt) {

    public String accountId() {
        return account.accountId();
    }

    boolean expiredAt(Instant now) {
        return expiresAt != null && !expiresAt.isAfter(now);
    }
}
