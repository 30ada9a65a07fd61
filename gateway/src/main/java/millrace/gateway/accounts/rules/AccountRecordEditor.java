package millrace.gateway.accounts.rules;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.Booked;
import millrace.contracts.accounts.AccountRecord.Entitlement;
import millrace.contracts.accounts.AccountRecord.Limits;
import millrace.contracts.accounts.AccountRecord.Monthly;
import millrace.contracts.accounts.AccountRecord.Secret;
import millrace.contracts.accounts.AccountRecord.Subscription;
import org.jspecify.annotations.Nullable;

/** An account of which parts are replaced. */
final class AccountRecordEditor {
    private final AccountRecord before;
    String name;
    boolean suspended;
    List<AccountRecord.Key> keys;
    Map<String, Entitlement> entitlements;
    private @Nullable Limits limits;

    @Nullable
    Monthly monthly;

    List<Secret> secrets;
    Map<String, String> declared;
    /** Opening credits that the account got. */
    @Nullable
    Long opening;

    @Nullable
    List<Subscription> subscriptions;

    @Nullable
    Booked booked;

    private @Nullable Instant closedAt;

    AccountRecordEditor(AccountRecord before) {
        this.before = before;
        this.name = before.name();
        this.suspended = before.suspended();
        this.keys = before.keys();
        this.entitlements = before.entitlements();
        this.limits = before.limits();
        this.monthly = before.monthly();
        this.secrets = before.webhookSecrets();
        this.declared = before.declared();
        this.opening = before.opening();
        this.subscriptions = before.subscriptions();
        this.booked = before.booked();
        this.closedAt = before.closedAt();
    }

    static AccountRecordEditor ofNew(String accountId, Instant now) {
        return new AccountRecordEditor(new AccountRecord(
                accountId,
                0,
                "",
                false,
                List.of(),
                Map.of(),
                null,
                null,
                List.of(),
                Map.of(),
                now,
                null,
                null,
                Booked.NOTHING,
                null));
    }

    /** The account with what was replaced so far, as the same revision. */
    AccountRecord record() {
        return record(before.revision(), before.updatedAt());
    }

    /** The edited account as the next revision. */
    AccountRecord next(Instant now) {
        return record(before.revision() + 1, now);
    }

    void limits(@Nullable Limits to) {
        limits = to == null || to.isEmpty() ? null : to;
    }

    /** Leaves what was given and taken, and the id. */
    void close(Instant at) {
        closedAt = at;
        name = "";
        suspended = true; // for builds that know no closed accounts
        keys = List.of();
        entitlements = Map.of();
        limits = null;
        monthly = null;
        secrets = List.of();
        declared = Map.of();
        subscriptions = List.of();
    }

    private AccountRecord record(long revision, Instant updatedAt) {
        return new AccountRecord(
                before.accountId(),
                revision,
                name,
                suspended,
                keys,
                entitlements,
                limits,
                monthly,
                secrets,
                declared,
                updatedAt,
                opening,
                subscriptions,
                booked,
                closedAt);
    }
}
