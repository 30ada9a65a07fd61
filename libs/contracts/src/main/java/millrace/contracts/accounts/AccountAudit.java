package millrace.contracts.accounts;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One change of an account, topic {@code account-audit}. Contains no secrets: keys and webhook
 * secrets appear by their ids.
 *
 * @param revision of the account after the change; 1, 2, 3, … per account
 * @param actor the name of the admin key, the id of the account's own key, or {@code accounts.yaml},
 *     {@code schedule} or {@code accounts-key}
 * @param changes the fields that have another value after the change
 */
public record AccountAudit(
        String accountId,
        long revision,
        Action action,
        String actor,
        @Nullable String reason,
        List<Change> changes,
        Instant occurredAt) {

    public AccountAudit {
        changes = List.copyOf(changes);
    }

    /** The kind of change. */
    public enum Action {
        @JsonProperty("created")
        CREATED,
        /** The account's entry in the accounts file has changed. */
        @JsonProperty("declared")
        DECLARED,
        @JsonProperty("renamed")
        RENAMED,
        @JsonProperty("suspended")
        SUSPENDED,
        @JsonProperty("resumed")
        RESUMED,
        @JsonProperty("closed")
        CLOSED,
        @JsonProperty("key_issued")
        KEY_ISSUED,
        /** A key has another label or another expiry. */
        @JsonProperty("key_changed")
        KEY_CHANGED,
        @JsonProperty("key_revoked")
        KEY_REVOKED,
        @JsonProperty("credits_granted")
        CREDITS_GRANTED,
        @JsonProperty("credits_expired")
        CREDITS_EXPIRED,
        @JsonProperty("entitlements_set")
        ENTITLEMENTS_SET,
        @JsonProperty("limits_set")
        LIMITS_SET,
        @JsonProperty("monthly_set")
        MONTHLY_SET,
        @JsonProperty("secret_rotated")
        SECRET_ROTATED,
        /** The same webhook secrets were encrypted with another key. */
        @JsonProperty("secrets_resealed")
        SECRETS_RESEALED,
        @JsonProperty("webhook_subscribed")
        WEBHOOK_SUBSCRIBED,
        @JsonProperty("webhook_unsubscribed")
        WEBHOOK_UNSUBSCRIBED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param field as in answers of the admin API, for example {@code keys.key_0a1b2c3d4e5f}
     * @param before as text; null where there was no value
     * @param after as text; null where there is no value any more
     */
    public record Change(
            String field, @Nullable String before, @Nullable String after) {}
}
