package millrace.runtime.accounts;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/**
 * An account as the accounts file declares it.
 *
 * @param id letters, digits, {@code -} and {@code _}; the key of everything that belongs to it
 * @param credits opening credits, granted once
 * @param entitlements what it may ask for, by capability category: {@code web_desktop_data}, {@code
 *     web_mobile_data}, {@code app_data}, {@code app_engagement_data}
 * @param webhookSecrets the newest first, several while one is rotated: {@code whsec_} and base64
 *     (signs {@code v1}), or {@code whsk_} and base64 of an ed25519 key, 32 bytes or with its
 *     public key 64 (signs {@code v1a})
 * @param monthlyCredits granted once in each calendar month; null: none
 * @param suspended requests are refused; null means false
 */
public record DeclaredAccount(
        String id,
        String name,
        List<Key> keys,
        long credits,
        Map<String, Entitlement> entitlements,
        @Nullable Limits limits,
        List<String> webhookSecrets,
        @Nullable Long monthlyCredits,
        @Nullable Boolean suspended) {

    /** An account that is not suspended and has no monthly credits. */
    public DeclaredAccount(
            String id,
            String name,
            List<Key> keys,
            long credits,
            Map<String, Entitlement> entitlements,
            @Nullable Limits limits,
            List<String> webhookSecrets) {
        this(id, name, keys, credits, entitlements, limits, webhookSecrets, null, null);
    }

    public DeclaredAccount {
        if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new IllegalArgumentException("id must be 1 to 64 letters, digits, - and _: " + id);
        }
        if (credits < 0) {
            throw new IllegalArgumentException("credits of " + id + " must be 0 or more: " + credits);
        }
        if (monthlyCredits != null && monthlyCredits < 1) {
            throw new IllegalArgumentException("monthly_credits of " + id + " must be 1 or more: " + monthlyCredits);
        }
        for (String secret : webhookSecrets) {
            String fault = fault(secret);
            if (fault != null) {
                throw new IllegalArgumentException("a webhook secret of " + id + " " + fault);
            }
        }
    }

    /** Whether the account is not suspended, so that its requests are answered. */
    public boolean active() {
        return suspended == null || !suspended;
    }

    private static @Nullable String fault(String secret) {
        boolean asymmetric = secret.startsWith("whsk_");
        if (!asymmetric && !secret.startsWith("whsec_")) {
            return "does not start with whsec_ or whsk_";
        }
        try {
            int bytes = Base64.getDecoder().decode(secret.substring(secret.indexOf('_') + 1)).length;
            return bytes == 0 ? "is empty" : asymmetric && bytes != 32 && bytes != 64 ? "is no ed25519 key" : null;
        } catch (IllegalArgumentException e) {
            return "is not base64";
        }
    }

    /**
     * An API key, of which only the hash is known.
     *
     * @param sha256 lower-case hex over the key's text
     * @param dialect null for {@code v3}
     * @param active false makes the key answer like an unknown one; null means true
     * @param expiresAt the key is valid until then; null where it does not expire
     * @param scopes what a batch key opens; null where it opens everything
     */
    public record Key(
            AccountRecord.KeyKind kind,
            String sha256,
            @Nullable ApiDialect dialect,
            @Nullable Boolean active,
            @Nullable Instant expiresAt,
            @Nullable Set<KeyScope> scopes) {
        public Key {
            if (!sha256.matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException("sha256 of a key must be 64 lower-case hex digits");
            }
            if (scopes != null && kind == AccountRecord.KeyKind.REST) {
                throw new IllegalArgumentException("a rest key has no scopes: it reads capabilities only");
            }
            if (scopes != null && scopes.isEmpty()) {
                throw new IllegalArgumentException("scopes of a key must be some of "
                        + String.join(", ", KeyScope.words()) + "; without the field it has all of them");
            }
            scopes = scopes == null ? null : KeyScope.copyOf(scopes);
        }

        /** A key that opens everything and does not expire. */
        public Key(AccountRecord.KeyKind kind, String sha256, @Nullable ApiDialect dialect, @Nullable Boolean active) {
            this(kind, sha256, dialect, active, null, null);
        }

        public boolean usable() {
            return active == null || active;
        }
    }

    /** The countries and days that are accessible, both days inclusive. */
    public record Entitlement(List<String> countries, LocalDate startDate, LocalDate endDate) {
        public Entitlement {
            if (endDate.isBefore(startDate)) {
                throw new IllegalArgumentException("end_date is before start_date " + startDate);
            }
        }
    }

    /**
     * Limits of this account; null where those of the services apply.
     *
     * @param historyDays how long a report is known after its end
     */
    public record Limits(
            @Nullable Integer requestsPerSecond,
            @Nullable Integer openReports,
            @Nullable Integer historyDays) {
        public Limits {
            if (historyDays != null && (historyDays < 1 || historyDays > AccountRecord.Limits.MOST_HISTORY_DAYS)) {
                throw new IllegalArgumentException("history_days must be from 1 to "
                        + AccountRecord.Limits.MOST_HISTORY_DAYS + ": " + historyDays);
            }
        }
    }
}
