package millrace.gateway.accounts;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.AccountRecord;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.runtime.Account;
import millrace.runtime.accounts.SecretBox;
import org.jspecify.annotations.Nullable;

/**
 * An account as the accounts file has it, in the form of the topic.
 *
 * @param fingerprints of each part of the entry, so that a part that changed in the file is recognised
 * @param otherFingerprints the same with the other key, while the key is being changed
 */
public record FileEntry(
        String name,
        long credits,
        boolean suspended,
        List<AccountRecord.Key> keys,
        Map<String, AccountRecord.Entitlement> entitlements,
        AccountRecord.@Nullable Limits limits,
        @Nullable Long monthlyCredits,
        List<AccountRecord.Secret> webhookSecrets,
        Map<String, String> fingerprints,
        Map<String, String> otherFingerprints) {
    static final String NAME = "name";
    static final String CREDITS = "credits";
    static final String SUSPENDED = "suspended";
    static final String KEYS = "keys";
    static final String ENTITLEMENTS = "entitlements";
    static final String LIMITS = "limits";
    static final String MONTHLY = "monthly_credits";
    static final String SECRETS = "webhook_secrets";

    /** Seals the secrets. */
    public static FileEntry of(Account account, SecretBox box, Instant now) {
        Map<String, AccountRecord.Entitlement> entitlements = new LinkedHashMap<>();
        account.entitlements()
                .forEach((category, e) -> entitlements.put(
                        category, new AccountRecord.Entitlement(e.countries(), e.startDate(), e.endDate())));
        Account.Limits limits = account.limits();
        return new FileEntry(
                account.name(),
                account.credits(),
                !account.active(),
                account.keys().stream().map(key -> key(key, now)).toList(),
                entitlements,
                limits == null ? null : new AccountRecord.Limits(limits.requestsPerSecond(), limits.openReports()),
                account.monthlyCredits(),
                secrets(account, box, now),
                fingerprints(account, box),
                box.other().map(other -> fingerprints(account, other)).orElse(Map.of()));
    }

    /** What another gateway, or this one before, took from the file. */
    boolean differs(Map<String, String> taken, String part) {
        String before = taken.get(part);
        return before == null || !(before.equals(fingerprints.get(part)) || before.equals(otherFingerprints.get(part)));
    }

    private static AccountRecord.Key key(Account.Key key, Instant now) {
        AccountRecord.KeyKind kind =
                switch (key.kind()) {
                    case BATCH -> AccountRecord.KeyKind.BATCH;
                    case REST -> AccountRecord.KeyKind.REST;
                };
        Instant revoked = key.usable() ? null : now;
        return new AccountRecord.Key(keyId(key.sha256()), kind, key.sha256(), key.dialect(), null, true, now, revoked);
    }

    /** Of a key, from the hash of its text. */
    public static String keyId(String sha256) {
        return "key_" + sha256.substring(0, 12);
    }

    private static List<AccountRecord.Secret> secrets(Account account, SecretBox box, Instant now) {
        List<AccountRecord.Secret> secrets = new ArrayList<>();
        for (String secret : account.webhookSecrets()) {
            String id = "whs_" + box.fingerprint(account.id() + " " + secret).substring(0, 12);
            secrets.add(new AccountRecord.Secret(id, box.seal(account.id(), id, secret), now, null));
        }
        return secrets;
    }

    private static Map<String, String> fingerprints(Account a, SecretBox box) {
        Map<String, String> prints = new LinkedHashMap<>();
        prints.put(NAME, box.fingerprint(a.name()));
        prints.put(CREDITS, box.fingerprint(Long.toString(a.credits())));
        prints.put(SUSPENDED, box.fingerprint(Boolean.toString(!a.active())));
        prints.put(KEYS, box.fingerprint(Json.text(a.keys())));
        prints.put(ENTITLEMENTS, box.fingerprint(Json.text(new java.util.TreeMap<>(a.entitlements()))));
        prints.put(LIMITS, box.fingerprint(a.limits() == null ? "" : Json.text(a.limits())));
        prints.put(MONTHLY, box.fingerprint(String.valueOf(a.monthlyCredits())));
        prints.put(SECRETS, box.fingerprint(Hashes.sha256Lines(a.webhookSecrets())));
        return prints;
    }
}
