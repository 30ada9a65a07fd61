package millrace.gateway.accounts;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.AccountRecord;
import millrace.contracts.AccountRecord.Entitlement;
import millrace.contracts.AccountRecord.Limits;
import millrace.contracts.AccountRecord.Monthly;
import millrace.contracts.AccountRecord.Secret;
import org.jspecify.annotations.Nullable;

/** An account with some of its parts replaced. */
record Draft(AccountRecord record) {

    static AccountRecord empty(String accountId, Instant now) {
        return new AccountRecord(accountId, 0, "", false, List.of(), Map.of(), null, null, List.of(), Map.of(), now);
    }

    /** The next revision. */
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
                r.opening());
    }

    Draft name(String name) {
        return with(name, record.suspended(), record.limits(), record.monthly());
    }

    Draft suspended(boolean suspended) {
        return with(record.name(), suspended, record.limits(), record.monthly());
    }

    Draft limits(@Nullable Limits limits) {
        boolean none = limits == null || (limits.requestsPerSecond() == null && limits.openReports() == null);
        return with(record.name(), record.suspended(), none ? null : limits, record.monthly());
    }

    Draft monthly(@Nullable Monthly monthly) {
        return with(record.name(), record.suspended(), record.limits(), monthly);
    }

    /** Notes that it was granted these credits to begin with. */
    Draft opening(long credits) {
        AccountRecord r = record;
        return new Draft(new AccountRecord(
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
                credits));
    }

    Draft keys(List<AccountRecord.Key> keys) {
        return with(keys, record.entitlements(), record.webhookSecrets(), record.declared());
    }

    Draft entitlements(Map<String, Entitlement> entitlements) {
        return with(record.keys(), entitlements, record.webhookSecrets(), record.declared());
    }

    Draft secrets(List<Secret> secrets) {
        return with(record.keys(), record.entitlements(), secrets, record.declared());
    }

    Draft declared(Map<String, String> declared) {
        return with(record.keys(), record.entitlements(), record.webhookSecrets(), declared);
    }

    private Draft with(String name, boolean suspended, @Nullable Limits limits, @Nullable Monthly monthly) {
        AccountRecord r = record;
        return new Draft(new AccountRecord(
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
                r.opening()));
    }

    private Draft with(
            List<AccountRecord.Key> keys,
            Map<String, Entitlement> entitlements,
            List<Secret> secrets,
            Map<String, String> declared) {
        AccountRecord r = record;
        return new Draft(new AccountRecord(
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
                r.opening()));
    }
}
