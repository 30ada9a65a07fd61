package millrace.gateway.accounts.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountRecord;
import millrace.runtime.accounts.DeclaredAccount;
import millrace.runtime.accounts.SecretEncryption;
import org.jspecify.annotations.Nullable;

/**
 * An account as the accounts file has it, in the form of the topic.
 *
 * @param fingerprints of each part of the entry and of each of its keys, so that what changed in the file is recognised
 * @param otherFingerprints the same with the other key, while the key is being changed
 * @param fingerprintsOfZero of no opening credits, with either key
 */
public record AccountsFileEntry(
        String name,
        long credits,
        boolean suspended,
        List<AccountRecord.Key> keys,
        Map<String, AccountRecord.Entitlement> entitlements,
        AccountRecord.@Nullable Limits limits,
        @Nullable Long monthlyCredits,
        List<AccountRecord.Secret> webhookSecrets,
        Map<String, String> fingerprints,
        Map<String, String> otherFingerprints,
        Set<String> fingerprintsOfZero) {
    static final String NAME = "name";
    static final String CREDITS = "credits";
    static final String SUSPENDED = "suspended";
    static final String KEYS = "keys";
    static final String ENTITLEMENTS = "entitlements";
    static final String LIMITS = "limits";
    static final String MONTHLY = "monthly_credits";
    static final String SECRETS = "webhook_secrets";

    private static final String NO_CREDITS = "0";
    private static final int KEY_PRINT = 16;

    /** Seals the secrets. */
    public static AccountsFileEntry of(DeclaredAccount account, SecretEncryption box, Instant now) {
        Map<String, AccountRecord.Entitlement> entitlements = new LinkedHashMap<>();
        account.entitlements()
                .forEach((category, e) -> entitlements.put(
                        category, new AccountRecord.Entitlement(e.countries(), e.startDate(), e.endDate())));
        DeclaredAccount.Limits limits = account.limits();
        return new AccountsFileEntry(
                account.name(),
                account.credits(),
                !account.active(),
                account.keys().stream().map(key -> key(key, now)).toList(),
                entitlements,
                limits == null ? null : new AccountRecord.Limits(limits.requestsPerSecond(), limits.openReports()),
                account.monthlyCredits(),
                secrets(account, box, now),
                fingerprints(account, box),
                box.other().map(other -> fingerprints(account, other)).orElse(Map.of()),
                Stream.concat(Stream.of(box), box.other().stream())
                        .map(b -> b.fingerprint(NO_CREDITS))
                        .collect(Collectors.toSet()));
    }

    /** What another gateway, or this one before, took from the file. */
    boolean differs(Map<String, String> taken, String part) {
        String before = taken.get(part);
        return before == null || !(before.equals(fingerprints.get(part)) || before.equals(otherFingerprints.get(part)));
    }

    /**
     * The keys of an account once this entry is taken: those of the file, then those that were issued. A key whose own entry is
     * the same as when it was taken stays as operators made it: another key's entry does not take back a revocation.
     *
     * @param taken the fingerprints of what was taken from the file before
     */
    List<AccountRecord.Key> mergedKeys(Map<String, String> taken, List<AccountRecord.Key> before) {
        List<AccountRecord.Key> merged = new ArrayList<>();
        for (AccountRecord.Key declared : keys) {
            merged.add(same(before, declared)
                    .filter(AccountRecord.Key::declared)
                    .map(known -> mergedKey(taken, known, declared))
                    .orElse(declared));
        }
        before.stream()
                .filter(key -> !key.declared())
                .filter(key -> same(keys, key).isEmpty())
                .forEach(merged::add);
        return merged;
    }

    private AccountRecord.Key mergedKey(
            Map<String, String> taken, AccountRecord.Key known, AccountRecord.Key declared) {
        String part = part(declared.sha256());
        if (!taken.containsKey(part)) {
            // Earlier builds kept no fingerprint of a single key: whether its entry changed is not known.
            return known.revokedAt() == null ? declared : declared.revoked(known.revokedAt());
        }
        return differs(taken, part) ? declared : known;
    }

    private static Optional<AccountRecord.Key> same(List<AccountRecord.Key> keys, AccountRecord.Key key) {
        return keys.stream().filter(k -> k.sha256().equals(key.sha256())).findFirst();
    }

    /** The part that one key of the entry is. */
    private static String part(String sha256) {
        return KEYS + "." + keyId(sha256);
    }

    /** Whether opening credits were taken from the file before. */
    boolean grantedBy(Map<String, String> taken) {
        String before = taken.get(CREDITS);
        return before != null && !fingerprintsOfZero.contains(before);
    }

    private static AccountRecord.Key key(DeclaredAccount.Key key, Instant now) {
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

    private static List<AccountRecord.Secret> secrets(DeclaredAccount account, SecretEncryption box, Instant now) {
        List<AccountRecord.Secret> secrets = new ArrayList<>();
        for (String secret : account.webhookSecrets()) {
            String id = "whs_" + box.fingerprint(account.id() + " " + secret).substring(0, 12);
            secrets.add(new AccountRecord.Secret(id, box.seal(account.id(), id, secret), now, null));
        }
        return secrets;
    }

    private static Map<String, String> fingerprints(DeclaredAccount a, SecretEncryption box) {
        Map<String, String> prints = new LinkedHashMap<>();
        prints.put(NAME, box.fingerprint(a.name()));
        prints.put(CREDITS, box.fingerprint(Long.toString(a.credits())));
        prints.put(SUSPENDED, box.fingerprint(Boolean.toString(!a.active())));
        prints.put(KEYS, box.fingerprint(Json.text(a.keys())));
        // Without the box: the account has these in the clear, and another box must not make them look changed.
        a.keys()
                .forEach(key -> prints.put(
                        part(key.sha256()), Hashes.sha256(Json.text(key)).substring(0, KEY_PRINT)));
        prints.put(ENTITLEMENTS, box.fingerprint(Json.text(new TreeMap<>(a.entitlements()))));
        prints.put(LIMITS, box.fingerprint(a.limits() == null ? "" : Json.text(a.limits())));
        prints.put(MONTHLY, box.fingerprint(String.valueOf(a.monthlyCredits())));
        prints.put(SECRETS, box.fingerprint(Hashes.sha256Lines(a.webhookSecrets())));
        return prints;
    }
}
