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
import org.jspecify.annotations.Nullable;

/** What is another one in an account now, in words that open nothing. */
public final class AccountDifferences {
    private AccountDifferences() {}

    public static List<AccountAudit.Change> between(@Nullable AccountRecord before, AccountRecord after) {
        Map<String, String> old = before == null ? Map.of() : told(before);
        Map<String, String> now = told(after);
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

    private static Map<String, String> told(AccountRecord a) {
        Map<String, String> told = new TreeMap<>();
        told.put("name", a.name());
        told.put("suspended", Boolean.toString(a.suspended()));
        for (AccountRecord.Key key : a.keys()) {
            told.put("keys." + key.id(), told(key));
        }
        a.entitlements()
                .forEach((category, e) -> told.put(
                        "entitlements." + category,
                        String.join(" ", e.countries()) + ", " + e.startDate() + " to " + e.endDate()));
        if (a.limits() != null) {
            put(told, "limits.requests_per_second", a.limits().requestsPerSecond());
            put(told, "limits.open_reports", a.limits().openReports());
        }
        if (a.monthly() != null) {
            put(told, "monthly_credits", a.monthly().credits());
            put(told, "monthly_credits.granted", a.monthly().granted());
        }
        for (AccountRecord.Secret secret : a.webhookSecrets()) {
            Instant until = secret.expiresAt();
            told.put("webhook_secrets." + secret.id(), until == null ? "valid" : "valid until " + Json.format(until));
        }
        return told;
    }

    private static String told(AccountRecord.Key key) {
        String kind = key.kind() == AccountRecord.KeyKind.BATCH ? "batch" : "rest";
        return kind
                + (key.label() == null ? "" : " (" + key.label() + ")")
                + (key.revokedAt() == null ? "" : ", revoked");
    }

    private static void put(Map<String, String> told, String field, @Nullable Object value) {
        if (value != null) {
            told.put(field, value.toString());
        }
    }
}
