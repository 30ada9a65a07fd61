package millrace.gateway.accounts.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.KeyKind;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/** Decides what an account may change by itself with one of its batch keys: nothing that reaches further than that key. */
public final class OwnKeyRules {
    /** Beside the keys of the file. Bounds what a client in a loop writes to Kafka. */
    private static final int MOST_KEYS_A_DAY = 100;

    private final AccountRecord account;
    private final AccountRecord.Key used;
    private final Instant now;

    private OwnKeyRules(AccountRecord account, AccountRecord.Key used, Instant now) {
        this.account = account;
        this.used = used;
        this.now = now;
    }

    /** Empty where the key opens nothing, for example because it was revoked a moment ago. */
    static Optional<OwnKeyRules> of(AccountRecord account, String keyId, Instant now) {
        return account.keys().stream()
                .filter(key -> key.id().equals(keyId) && opensBatch(key, now))
                .findFirst()
                .map(key -> new OwnKeyRules(account, key, now));
    }

    /**
     * A sentence where a key would be valid for longer than the one that is used.
     *
     * @param last when the key that is used expires; null where it does not
     */
    public static Optional<String> outlives(AccountChange change, @Nullable Instant last) {
        return switch (change) {
            case AccountChange.IssueKey(AccountRecord.Key key) -> later(key.expiresAt(), last);
            case AccountChange.ChangeKey(String _, var _, var expiresAt, var _) ->
                expiresAt == null ? Optional.empty() : later(expiresAt.value(), last);
            default -> Optional.empty();
        };
    }

    private static Optional<String> later(@Nullable Instant expiresAt, @Nullable Instant last) {
        return last != null && endsBefore(last, expiresAt)
                ? Optional.of("expires_at: must not be after " + Json.format(last)
                        + ", when the key expires that this request carries.")
                : Optional.empty();
    }

    /** @param expiresAt null where there is no end, as is {@code other} */
    private static boolean endsBefore(@Nullable Instant expiresAt, @Nullable Instant other) {
        return expiresAt != null && (other == null || expiresAt.isBefore(other));
    }

    /** Why the change is refused; empty where it is not. */
    Optional<AccountDecision.Refused> refusal(AccountChange change) {
        return switch (change) {
            case AccountChange.IssueKey(AccountRecord.Key key) ->
                refused(narrowed(KeyScope.ALL).or(() -> outlives(change, used.expiresAt())))
                        .or(() -> tooMany(key));
            case AccountChange.ChangeKey(String keyId, var _, var expiresAt, var scopes) ->
                refused(narrowed(KeyScope.ALL)
                        .or(() -> outlives(change, used.expiresAt()))
                        .or(() -> expiresAt == null && scopes == null ? Optional.empty() : lastsLonger(keyId)));
            case AccountChange.RevokeKey(String keyId) ->
                refused(narrowed(KeyScope.ALL).or(() -> lastsLonger(keyId)));
            case AccountChange.RotateSecret _, AccountChange.Subscribe _, AccountChange.Unsubscribe _ ->
                refused(narrowed(Set.of(KeyScope.WEBHOOKS)));
            default -> throw new IllegalArgumentException("not a change that accounts make themselves: " + change);
        };
    }

    private static Optional<AccountDecision.Refused> refused(Optional<String> sentence) {
        return sentence.map(AccountDecision.Refused::new);
    }

    /** A sentence where the key that is used has lost a scope since the gateway let the request in. */
    private Optional<String> narrowed(Set<KeyScope> needed) {
        return used.effectiveScopes().containsAll(needed)
                ? Optional.empty()
                : Optional.of("The key that this request carries, " + used.id()
                        + ", has other scopes by now; nothing was changed.");
    }

    /** A sentence where the key is valid for longer than the one that is used, and so must not end by it. */
    private Optional<String> lastsLonger(String keyId) {
        return account.keys().stream()
                .filter(key -> key.id().equals(keyId) && endsBefore(used.expiresAt(), key.expiresAt()))
                .findFirst()
                .map(key -> keyId + " is valid for longer than " + used.id()
                        + ", which this request carries; use a key that is valid for as long.");
    }

    /** The change with what it takes over from the key that is used. */
    AccountChange completed(AccountChange change) {
        return change instanceof AccountChange.IssueKey(AccountRecord.Key key)
                ? new AccountChange.IssueKey(new AccountRecord.Key(
                        key.id(),
                        KeyKind.BATCH,
                        key.sha256(),
                        used.dialect(),
                        key.label(),
                        false,
                        key.issuedAt(),
                        null,
                        key.expiresAt(),
                        key.scopes()))
                : change;
    }

    /**
     * The decision, or a refusal where the account could make no keys afterwards, or not for as long: the key that is used,
     * which has all scopes, is needed where no other has them and lasts as long.
     */
    AccountDecision keepingAKey(AccountDecision decision) {
        if (!(decision instanceof AccountDecision.Changed changed)) {
            return decision;
        }
        if (!hasAllScopes(used)) {
            return decision;
        }
        List<AccountRecord.Key> left = changed.after().keys().stream()
                .filter(key -> opensBatch(key, now))
                .toList();
        List<AccountRecord.Key> whole =
                left.stream().filter(OwnKeyRules::hasAllScopes).toList();
        return whole.stream().allMatch(key -> endsBefore(key.expiresAt(), used.expiresAt()))
                ? new AccountDecision.Refused(
                        ProblemCode.LAST_KEY,
                        used.id() + " is the last valid batch key of the account"
                                + (whole.size() == left.size() ? "" : " with all scopes")
                                + (whole.stream().allMatch(key -> key.id().equals(used.id()))
                                        ? ""
                                        : " that lasts as long")
                                + "; make another one first.")
                : decision;
    }

    private static boolean hasAllScopes(AccountRecord.Key key) {
        return key.effectiveScopes().equals(KeyScope.ALL);
    }

    /** The same key may be there already, where a commit succeeded whose acknowledgement was lost. */
    private Optional<AccountDecision.Refused> tooMany(AccountRecord.Key asked) {
        Instant aDayAgo = now.minus(Duration.ofDays(1));
        long made = account.keys().stream()
                .filter(key -> !key.declared() && key.issuedAt().isAfter(aDayAgo))
                .filter(key -> !key.sha256().equals(asked.sha256()))
                .count();
        return made < MOST_KEYS_A_DAY
                ? Optional.empty()
                : Optional.of(new AccountDecision.Refused(
                        ProblemCode.LIMIT_REACHED,
                        "The account has made " + made + " keys within a day, which is the most; try again later."));
    }

    private static boolean opensBatch(AccountRecord.Key key, Instant now) {
        return key.kind() == KeyKind.BATCH && key.validAt(now);
    }
}
