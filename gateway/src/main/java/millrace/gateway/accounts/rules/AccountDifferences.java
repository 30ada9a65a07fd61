package millrace.gateway.accounts.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.delivery.WebhookEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * Lists the fields in which two revisions of an account differ, for the audit record. Keys and
 * secrets appear by their ids only.
 */
public final class AccountDifferences {
    private AccountDifferences() {}

    public static List<AccountAudit.Change> between(@Nullable AccountRecord before, AccountRecord after) {
        Map<String, String> old = before == null ? Map.of() : values(before);
        Map<String, String> now = values(after);
        var fields = new TreeSet<>(old.keySet());
        fields.addAll(now.keySet());
        List<AccountAudit.Change> changes = new ArrayList<>();
        for (String field : fields) {
            if (!Objects.equals(old.get(field), now.get(field))) {
                changes.add(new AccountAudit.Change(field, old.get(field), now.get(field)));
            }
        }
        return changes;
    }

    private static Map<String, String> values(AccountRecord a) {
        Map<String, String> values = new TreeMap<>();
        values.put("name", a.name());
        values.put("suspended", Boolean.toString(a.suspended()));
        for (AccountRecord.Key key : a.keys()) {
            values.put("keys." + key.id(), values(key));
        }
        a.entitlements()
                .forEach((category, e) -> values.put(
                        "entitlements." + category,
                        String.join(" ", e.countries()) + ", " + e.startDate() + " to " + e.endDate()));
        if (a.limits() != null) {
            put(values, "limits.requests_per_second", a.limits().requestsPerSecond());
            put(values, "limits.open_reports", a.limits().openReports());
            put(values, "limits.history_days", a.limits().historyDays());
        }
        if (a.monthly() != null) {
            put(values, "monthly_credits", a.monthly().credits());
            put(values, "monthly_credits.granted", a.monthly().granted());
        }
        for (AccountRecord.Secret secret : a.webhookSecrets()) {
            Instant until = secret.expiresAt();
            values.put("webhook_secrets." + secret.id(), until == null ? "valid" : "valid until " + Json.format(until));
        }
        for (AccountRecord.Subscription subscription : a.subscribed()) {
            values.put(
                    "subscriptions." + subscription.id(),
                    String.join(", ", subscription.eventTypes()) + " to "
                            + WebhookEndpoint.withoutQuery(subscription.url()));
        }
        return values;
    }

    private static String values(AccountRecord.Key key) {
        String kind = key.kind() == AccountRecord.KeyKind.BATCH ? "batch" : "rest";
        return kind
                + (key.label() == null ? "" : " (" + key.label() + ")")
                + (key.scopes() == null ? "" : ", scopes " + String.join(" ", KeyScope.words(key.scopes())))
                + (key.expiresAt() == null ? "" : ", expires " + Json.format(key.expiresAt()))
                + (key.revokedAt() == null ? "" : ", revoked");
    }

    private static void put(Map<String, String> values, String field, @Nullable Object value) {
        if (value != null) {
            values.put(field, value.toString());
        }
    }
}
