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
 * An entry of the accounts file in the form of the accounts topic.
 *
 * @param fingerprints of each part of the entry and of each of its keys, to recognise what changed
 *     in the file
 * @param otherFingerprints the same with the previous accounts key, while the key is being replaced
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
    private static final int KEY_FINGERPRINT_LENGTH = 16;

    /** Encrypts the webhook secrets. */
    public static AccountsFileEntry of(DeclaredAccount account, SecretEncryption encryption, Instant now) {
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
                limits == null
                        ? null
                        : new AccountRecord.Limits(
                                limits.requestsPerSecond(), limits.openReports(), limits.historyDays()),
                account.monthlyCredits(),
                secrets(account, encryption, now),
                fingerprints(account, encryption),
                encryption.other().map(other -> fingerprints(account, other)).orElse(Map.of()),
                Stream.concat(Stream.of(encryption), encryption.other().stream())
                        .map(b -> b.fingerprint(NO_CREDITS))
                        .collect(Collectors.toSet()));
    }

    /**
     * Whether the part has changed in the file since an import.
     *
     * @param imported fingerprints of the last import
     */
    boolean differs(Map<String, String> imported, String part) {
        String before = imported.get(part);
        return before == null || !(before.equals(fingerprints.get(part)) || before.equals(otherFingerprints.get(part)));
    }

    /**
     * The keys of the account after this entry is applied: those of the file, then those that
     * operators issued. A key whose own entry has not changed stays as operators made it, so that a
     * change of another key's entry does not undo a revocation.
     *
     * @param imported fingerprints of the last import
     */
    List<AccountRecord.Key> mergedKeys(Map<String, String> imported, List<AccountRecord.Key> before) {
        List<AccountRecord.Key> merged = new ArrayList<>();
        for (AccountRecord.Key declared : keys) {
            merged.add(same(before, declared)
                    .filter(AccountRecord.Key::declared)
                    .map(known -> mergedKey(imported, known, declared))
                    .orElse(declared));
        }
        before.stream()
                .filter(key -> !key.declared())
                .filter(key -> same(keys, key).isEmpty())
                .forEach(merged::add);
        return merged;
    }

    private AccountRecord.Key mergedKey(
            Map<String, String> imported, AccountRecord.Key known, AccountRecord.Key declared) {
        String part = part(declared.sha256());
        if (!imported.containsKey(part)) {
            // Earlier builds kept no fingerprint of a single key: whether its entry changed is not known.
            return known.revokedAt() == null ? declared : declared.revoked(known.revokedAt());
        }
        return differs(imported, part) ? declared : known;
    }

    private static Optional<AccountRecord.Key> same(List<AccountRecord.Key> keys, AccountRecord.Key key) {
        return keys.stream().filter(k -> k.sha256().equals(key.sha256())).findFirst();
    }

    /** Name of the part that is one key of the entry. */
    private static String part(String sha256) {
        return KEYS + "." + AccountRecord.Key.idOf(sha256);
    }

    /** Whether an earlier import granted opening credits. */
    boolean grantedBy(Map<String, String> imported) {
        String before = imported.get(CREDITS);
        return before != null && !fingerprintsOfZero.contains(before);
    }

    private static AccountRecord.Key key(DeclaredAccount.Key key, Instant now) {
        Instant revoked = key.usable() ? null : now;
        return new AccountRecord.Key(
                AccountRecord.Key.idOf(key.sha256()),
                key.kind(),
                key.sha256(),
                key.dialect(),
                null,
                true,
                now,
                revoked,
                key.expiresAt(),
                key.scopes());
    }

    private static List<AccountRecord.Secret> secrets(
            DeclaredAccount account, SecretEncryption encryption, Instant now) {
        List<AccountRecord.Secret> secrets = new ArrayList<>();
        for (String secret : account.webhookSecrets()) {
            String id =
                    "whs_" + encryption.fingerprint(account.id() + " " + secret).substring(0, 12);
            secrets.add(new AccountRecord.Secret(id, encryption.seal(account.id(), id, secret), now, null));
        }
        return secrets;
    }

    private static Map<String, String> fingerprints(DeclaredAccount a, SecretEncryption encryption) {
        Map<String, String> fingerprints = new LinkedHashMap<>();
        fingerprints.put(NAME, encryption.fingerprint(a.name()));
        fingerprints.put(CREDITS, encryption.fingerprint(Long.toString(a.credits())));
        fingerprints.put(SUSPENDED, encryption.fingerprint(Boolean.toString(!a.active())));
        fingerprints.put(KEYS, encryption.fingerprint(Json.text(a.keys())));
        // A plain hash: the account has the keys' hashes anyway, and a new accounts key must not make them look
        // changed.
        a.keys()
                .forEach(key -> fingerprints.put(
                        part(key.sha256()), Hashes.sha256(Json.text(key)).substring(0, KEY_FINGERPRINT_LENGTH)));
        fingerprints.put(ENTITLEMENTS, encryption.fingerprint(Json.text(new TreeMap<>(a.entitlements()))));
        fingerprints.put(LIMITS, encryption.fingerprint(a.limits() == null ? "" : Json.text(a.limits())));
        fingerprints.put(MONTHLY, encryption.fingerprint(String.valueOf(a.monthlyCredits())));
        fingerprints.put(SECRETS, encryption.fingerprint(Hashes.sha256Lines(a.webhookSecrets())));
        return fingerprints;
    }
}
