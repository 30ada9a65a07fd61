package millrace.contracts.accounts;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/**
 * Who an account is and what it may do; its credits are the ledger's. Keys are here as hashes, webhook secrets as text that
 * was encrypted.
 *
 * @param revision 1, 2, 3, …: one more with each change
 * @param suspended requests are refused; what was accepted goes on
 * @param entitlements by capability category
 * @param limits null: those of the gateway
 * @param monthly null: nothing is granted by itself
 * @param declared fingerprints of the parts of the accounts file's entry that are in here, by name; empty where there is none
 * @param opening credits that the account began with; null where it was granted none; records of
 *     earlier builds never have it
 */
public record AccountRecord(
        String accountId,
        long revision,
        String name,
        boolean suspended,
        List<Key> keys,
        Map<String, Entitlement> entitlements,
        @Nullable Limits limits,
        @Nullable Monthly monthly,
        List<Secret> webhookSecrets,
        Map<String, String> declared,
        Instant updatedAt,
        @Nullable Long opening) {

    public AccountRecord {
        keys = List.copyOf(keys);
        webhookSecrets = List.copyOf(webhookSecrets);
    }

    /** One that was granted no opening credits. */
    public AccountRecord(
            String accountId,
            long revision,
            String name,
            boolean suspended,
            List<Key> keys,
            Map<String, Entitlement> entitlements,
            @Nullable Limits limits,
            @Nullable Monthly monthly,
            List<Secret> webhookSecrets,
            Map<String, String> declared,
            Instant updatedAt) {
        this(
                accountId,
                revision,
                name,
                suspended,
                keys,
                entitlements,
                limits,
                monthly,
                webhookSecrets,
                declared,
                updatedAt,
                null);
    }

    /** Which interface a key opens. */
    public enum KeyKind {
        @JsonProperty("batch")
        BATCH,
        @JsonProperty("rest")
        REST
    }

    /**
     * @param id {@code key_} and the first 12 digits of the hash
     * @param sha256 lower-case hex over the key's text
     * @param declared whether it comes from the accounts file
     * @param revokedAt null where it is valid
     */
    public record Key(
            String id,
            KeyKind kind,
            String sha256,
            @Nullable ApiDialect dialect,
            @Nullable String label,
            boolean declared,
            Instant issuedAt,
            @Nullable Instant revokedAt) {

        /** The same key, revoked at that time. */
        public Key revoked(Instant at) {
            return new Key(id, kind, sha256, dialect, label, declared, issuedAt, at);
        }
    }

    /** Countries and accessible history, both days inclusive. */
    public record Entitlement(List<String> countries, LocalDate startDate, LocalDate endDate) {
        public Entitlement {
            countries = List.copyOf(countries);
        }
    }

    /** Null: as the gateway has it. */
    public record Limits(
            @Nullable Integer requestsPerSecond, @Nullable Integer openReports) {}

    /**
     * @param credits at least 1, granted once in each calendar month, UTC
     * @param granted the last month that they were granted for, {@code 2026-11}; null before the first
     */
    public record Monthly(long credits, @Nullable String granted) {}

    /**
     * @param id {@code whs_} and random digits; no part of the secret
     * @param sealed base64 of the encrypted secret
     * @param expiresAt signs until then; null: until it is replaced
     */
    public record Secret(
            String id,
            String sealed,
            Instant createdAt,
            @Nullable Instant expiresAt) {}
}
