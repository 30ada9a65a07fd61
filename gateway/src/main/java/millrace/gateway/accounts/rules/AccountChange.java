package millrace.gateway.accounts.rules;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Map;
import java.util.Set;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import org.jspecify.annotations.Nullable;

/** A change of one account that an operator, the account itself, the accounts file or the calendar asks for. */
public sealed interface AccountChange {

    /** @param credits opening credits, 0 for none */
    record Create(
            String name,
            long credits,
            Map<String, AccountRecord.Entitlement> entitlements,
            AccountRecord.@Nullable Limits limits,
            @Nullable Long monthlyCredits,
            AccountRecord.Secret secret)
            implements AccountChange {}

    /** Applies the account's entry of the accounts file. */
    record Declare(AccountsFileEntry entry) implements AccountChange {}

    record Rename(String name) implements AccountChange {}

    record Suspend() implements AccountChange {}

    record Resume() implements AccountChange {}

    /** Ends the account for good. */
    record Close() implements AccountChange {}

    record IssueKey(AccountRecord.Key key) implements AccountChange {}

    record RevokeKey(String keyId) implements AccountChange {}

    /**
     * Gives a key another label, another expiry, or other scopes.
     *
     * @param label null where it stays
     * @param expiresAt null where it stays
     * @param scopes null where they stay
     */
    record ChangeKey(
            String keyId,
            @Nullable Replacement<String> label,
            @Nullable Replacement<Instant> expiresAt,
            @Nullable Replacement<Set<KeyScope>> scopes)
            implements AccountChange {}

    /** @param value null where there is to be none any more */
    record Replacement<T>(@Nullable T value) {}

    /**
     * A change of keys, webhook secrets or subscriptions that the account asks for itself. It gives nothing that
     * the key does not have: {@link OwnKeyRules} says what is refused.
     *
     * @param keyId of the batch key that the request carries
     */
    record ByOwnKey(String keyId, AccountChange change) implements AccountChange {}

    /**
     * Grants credits, or takes credits away, at most those that remain. Happens once for each id; an id is that of a
     * grant or of an expiry.
     *
     * @param newId whether the id was made for it, so that it is no repeat
     */
    record MoveCredits(AccountRecord.Move move, boolean newId) implements AccountChange {}

    /** Replaces all entitlements; a category that is not named is not accessible. */
    record SetEntitlements(Map<String, AccountRecord.Entitlement> entitlements) implements AccountChange {}

    record SetLimits(AccountRecord.@Nullable Limits limits) implements AccountChange {}

    /** @param credits of each month; null ends monthly grants */
    record SetMonthly(@Nullable Long credits) implements AccountChange {}

    /** Grants the months up to this one that have not been granted. */
    record GrantMonths(YearMonth month) implements AccountChange {}

    /** Has a URL get events that are not about a report. */
    record Subscribe(AccountRecord.Subscription subscription) implements AccountChange {}

    record Unsubscribe(String subscriptionId) implements AccountChange {}

    /**
     * Replaces the encrypted form of secrets after a change of the accounts key.
     *
     * @param sealed the same secrets encrypted with the new key, by their ids
     */
    record ReencryptSecrets(Map<String, String> sealed) implements AccountChange {}

    /** @param overlap how long the secrets before it still sign */
    record RotateSecret(AccountRecord.Secret secret, Duration overlap) implements AccountChange {}
}
