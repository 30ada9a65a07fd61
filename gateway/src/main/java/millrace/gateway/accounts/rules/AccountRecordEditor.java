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

/** Replaces parts of an account. */
final class AccountRecordEditor {
    private final AccountRecord before;
    private String name;
    private boolean suspended;
    private List<AccountRecord.Key> keys;
    private Map<String, Entitlement> entitlements;
    private @Nullable Limits limits;
    private @Nullable Monthly monthly;
    private List<Secret> secrets;
    private Map<String, String> declared;
    private @Nullable Long opening;
    private @Nullable List<Subscription> subscriptions;
    private @Nullable Booked booked;
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

    static AccountRecord empty(String accountId, Instant now) {
        return new AccountRecord(
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
                null);
    }

    /** The account with what was replaced so far, as the same revision. */
    AccountRecord record() {
        return record(before.revision(), before.updatedAt());
    }

    /** The edited account as the next revision. */
    AccountRecord next(Instant now) {
        return record(before.revision() + 1, now);
    }

    AccountRecordEditor name(String to) {
        name = to;
        return this;
    }

    AccountRecordEditor suspended(boolean to) {
        suspended = to;
        return this;
    }

    AccountRecordEditor limits(@Nullable Limits to) {
        limits = to == null || to.isEmpty() ? null : to;
        return this;
    }

    AccountRecordEditor monthly(@Nullable Monthly to) {
        monthly = to;
        return this;
    }

    /** Records that the account got these opening credits. */
    AccountRecordEditor opening(long credits) {
        opening = credits;
        return this;
    }

    AccountRecordEditor subscriptions(List<Subscription> to) {
        subscriptions = to;
        return this;
    }

    AccountRecordEditor booked(Booked to) {
        booked = to;
        return this;
    }

    AccountRecordEditor keys(List<AccountRecord.Key> to) {
        keys = to;
        return this;
    }

    AccountRecordEditor entitlements(Map<String, Entitlement> to) {
        entitlements = to;
        return this;
    }

    AccountRecordEditor secrets(List<Secret> to) {
        secrets = to;
        return this;
    }

    AccountRecordEditor declared(Map<String, String> to) {
        declared = to;
        return this;
    }

    /** Leaves what was given and taken, and the id. */
    AccountRecordEditor closed(Instant at) {
        closedAt = at;
        return name("").suspended(true) // for builds that know no closed accounts
                .keys(List.of())
                .entitlements(Map.of())
                .limits(null)
                .monthly(null)
                .secrets(List.of())
                .declared(Map.of())
                .subscriptions(List.of());
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
