package millrace.gateway.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.ApiDialect;
import millrace.gateway.access.KeyUses;
import org.jspecify.annotations.Nullable;

/**
 * An account as the admin API shows it: no key, no hash of one, no secret.
 *
 * @param remainingCredits what can still be reserved
 */
record AccountAnswer(
        String id,
        String name,
        String status,
        long remainingCredits,
        @Nullable Long monthlyCredits,
        List<Key> keys,
        Map<String, AccountRecord.Entitlement> entitlements,
        AccountRecord.@Nullable Limits limits,
        List<Secret> webhookSecrets,
        long revision,
        Instant updatedAt,
        @Nullable Instant closedAt) {

    /**
     * @param status {@code active}, {@code expired} or {@code revoked}
     * @param source {@code issued}, or {@code accounts.yaml}
     * @param scopes absent of a rest key
     * @param lastUsedAt to the hour; absent where nobody has used it
     */
    record Key(
            String id,
            AccountRecord.KeyKind kind,
            String status,
            @Nullable String label,
            @Nullable ApiDialect dialect,
            String source,
            Instant issuedAt,
            @Nullable Instant revokedAt,
            @Nullable Instant expiresAt,
            @Nullable Set<KeyScope> scopes,
            @Nullable Instant lastUsedAt) {}

    record Secret(String id, Instant createdAt, @Nullable Instant expiresAt) {}

    /** @param now secrets that have expired by then are left out */
    static AccountAnswer of(AccountRecord a, long remaining, KeyUses uses, Instant now) {
        return new AccountAnswer(
                a.accountId(),
                a.name(),
                a.closedAt() != null ? "closed" : a.suspended() ? "suspended" : "active",
                remaining,
                a.monthly() == null ? null : a.monthly().credits(),
                a.keys().stream().map(key -> key(key, uses, now)).toList(),
                a.entitlements(),
                a.limits(),
                a.webhookSecrets().stream()
                        .filter(s -> s.expiresAt() == null || s.expiresAt().isAfter(now))
                        .map(s -> new Secret(s.id(), s.createdAt(), s.expiresAt()))
                        .toList(),
                a.revision(),
                a.updatedAt(),
                a.closedAt());
    }

    static Key key(AccountRecord.Key key, KeyUses uses, Instant now) {
        return new Key(
                key.id(),
                key.kind(),
                key.revokedAt() != null ? "revoked" : key.validAt(now) ? "active" : "expired",
                key.label(),
                key.dialect(),
                key.declared() ? "accounts.yaml" : "issued",
                key.issuedAt(),
                key.revokedAt(),
                key.expiresAt(),
                key.kind() == AccountRecord.KeyKind.BATCH ? key.effectiveScopes() : null,
                uses.lastUsed(key.id()).orElse(null));
    }
}
