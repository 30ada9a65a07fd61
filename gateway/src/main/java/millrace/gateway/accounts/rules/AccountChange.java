package millrace.gateway.accounts.rules;

import java.time.Duration;
import java.time.YearMonth;
import java.util.Map;
import millrace.contracts.accounts.AccountRecord;
import org.jspecify.annotations.Nullable;

/** What an operator, the accounts file or the calendar wants of an account. */
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

    /** What the accounts file says. */
    record Declare(AccountsFileEntry entry) implements AccountChange {}

    record Rename(String name) implements AccountChange {}

    record Suspend() implements AccountChange {}

    record Resume() implements AccountChange {}

    record IssueKey(AccountRecord.Key key) implements AccountChange {}

    record RevokeKey(String keyId) implements AccountChange {}

    /** Once per id, which the account's expiries share. */
    record Grant(String grantId, long credits) implements AccountChange {}

    /** At most what remains. */
    record Expire(String expiryId, long credits) implements AccountChange {}

    /** All of them; a category that is not named is not accessible. */
    record SetEntitlements(Map<String, AccountRecord.Entitlement> entitlements) implements AccountChange {}

    record SetLimits(AccountRecord.@Nullable Limits limits) implements AccountChange {}

    /** Null: nothing more is granted by itself. */
    record SetMonthly(@Nullable Long credits) implements AccountChange {}

    /** The calendar says that it is this month; those since the last one are granted with it. */
    record GrantMonths(YearMonth month) implements AccountChange {}

    /**
     * The key of the secrets is another one.
     *
     * @param sealed the same secrets, sealed with it, by their ids
     */
    record ReencryptSecrets(Map<String, String> sealed) implements AccountChange {}

    /** @param overlap how long the secrets before it sign too */
    record RotateSecret(AccountRecord.Secret secret, Duration overlap) implements AccountChange {}
}
