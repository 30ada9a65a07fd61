package millrace.gateway.accounts.rules;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountRecord.Entitlement;
import millrace.contracts.accounts.AccountRecord.Limits;
import millrace.contracts.accounts.AccountRecord.Monthly;
import millrace.contracts.accounts.AccountRecord.Secret;
import org.jspecify.annotations.Nullable;

/** Copies an account with some of its parts replaced. */
record AccountRecordEditor(AccountRecord record) {

    static AccountRecord empty(String accountId, Instant now) {
        return new AccountRecord(accountId, 0, "", false, List.of(), Map.of(), null, null, List.of(), Map.of(), now);
    }

    /** The edited account as the next revision. */
    AccountRecord next(Instant now) {
        AccountRecord r = record;
        return new AccountRecord(
                r.accountId(),
                r.revision() + 1,
                r.name(),
                r.suspended(),
                r.keys(),
                r.entitlements(),
                r.limits(),
                r.monthly(),
                r.webhookSecrets(),
                r.declared(),
                now,
                r.opening(),
                r.subscriptions());
    }

    AccountRecordEditor name(String name) {
        return with(name, record.suspended(), record.limits(), record.monthly());
    }

    AccountRecordEditor suspended(boolean suspended) {
        return with(record.name(), suspended, record.limits(), record.monthly());
    }

    AccountRecordEditor limits(@Nullable Limits limits) {
        boolean none = limits == null || (limits.requestsPerSecond() == null && limits.openReports() == null);
        return with(record.name(), record.suspended(), none ? null : limits, record.monthly());
    }

    AccountRecordEditor monthly(@Nullable Monthly monthly) {
        return with(record.name(), record.suspended(), record.limits(), monthly);
    }

    /** Records that the account got these opening credits. */
    AccountRecordEditor opening(long credits) {
        AccountRecord r = record;
        return new AccountRecordEditor(new AccountRecord(
                r.accountId(),
                r.revision(),
                r.name(),
                r.suspended(),
                r.keys(),
                r.entitlements(),
                r.limits(),
                r.monthly(),
                r.webhookSecrets(),
                r.declared(),
                r.updatedAt(),
                credits,
                r.subscriptions()));
    }

    AccountRecordEditor subscriptions(List<AccountRecord.Subscription> subscriptions) {
        AccountRecord r = record;
        return new AccountRecordEditor(new AccountRecord(
                r.accountId(),
                r.revision(),
                r.name(),
                r.suspended(),
                r.keys(),
                r.entitlements(),
                r.limits(),
                r.monthly(),
                r.webhookSecrets(),
                r.declared(),
                r.updatedAt(),
                r.opening(),
                subscriptions));
    }

    AccountRecordEditor keys(List<AccountRecord.Key> keys) {
        return with(keys, record.entitlements(), record.webhookSecrets(), record.declared());
    }

    AccountRecordEditor entitlements(Map<String, Entitlement> entitlements) {
        return with(record.keys(), entitlements, record.webhookSecrets(), record.declared());
    }

    AccountRecordEditor secrets(List<Secret> secrets) {
        return with(record.keys(), record.entitlements(), secrets, record.declared());
    }

    AccountRecordEditor declared(Map<String, String> declared) {
        return with(record.keys(), record.entitlements(), record.webhookSecrets(), declared);
    }

    private AccountRecordEditor with(
            String name, boolean suspended, @Nullable Limits limits, @Nullable Monthly monthly) {
        AccountRecord r = record;
        return new AccountRecordEditor(new AccountRecord(
                r.accountId(),
                r.revision(),
                name,
                suspended,
                r.keys(),
                r.entitlements(),
                limits,
                monthly,
                r.webhookSecrets(),
                r.declared(),
                r.updatedAt(),
                r.opening(),
                r.subscriptions()));
    }

    private AccountRecordEditor with(
            List<AccountRecord.Key> keys,
            Map<String, Entitlement> entitlements,
            List<Secret> secrets,
            Map<String, String> declared) {
        AccountRecord r = record;
        return new AccountRecordEditor(new AccountRecord(
                r.accountId(),
                r.revision(),
                r.name(),
                r.suspended(),
                keys,
                entitlements,
                r.limits(),
                r.monthly(),
                secrets,
                declared,
                r.updatedAt(),
                r.opening(),
                r.subscriptions()));
    }
}
