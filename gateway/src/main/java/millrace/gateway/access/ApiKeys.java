package millrace.gateway.access;

import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/** Finds the account of an API key. Keeps the SHA-256 of usable keys only. */
@Singleton
public final class ApiKeys {
    /** @param owners by account id: one, except while a key moves from one account to another */
    private record Entry(String sha256, SortedMap<String, Caller> owners) {}

    private final Map<String, Entry> bySha256 = new ConcurrentHashMap<>();
    private final Map<String, AccountRecord> known = new ConcurrentHashMap<>();

    /** Adds an account, or replaces it. Accounts may come in any order. */
    public void put(AccountRecord account) {
        AccountRecord before = known.put(account.accountId(), account);
        Entitlements entitlements = entitlements(account);
        Set<String> usable = new HashSet<>();
        for (AccountRecord.Key key : account.keys()) {
            if (key.revokedAt() == null) {
                usable.add(key.sha256());
                own(key.sha256(), account.accountId(), caller(account, entitlements, key));
            }
        }
        for (AccountRecord.Key key : before == null ? List.<AccountRecord.Key>of() : before.keys()) {
            if (!usable.contains(key.sha256())) {
                own(key.sha256(), account.accountId(), null);
            }
        }
    }

    private static Caller caller(AccountRecord account, Entitlements entitlements, AccountRecord.Key key) {
        ApiDialect dialect = key.dialect() == null ? ApiDialect.V3 : key.dialect();
        return new Caller(account, entitlements, key.kind(), dialect, key.id(), key.effectiveScopes(), key.expiresAt());
    }

    private static Entitlements entitlements(AccountRecord account) {
        Map<CapabilityCategory, Entitlements.Access> access = new EnumMap<>(CapabilityCategory.class);
        account.entitlements().forEach((category, granted) -> CapabilityCategory.of(category)
                .ifPresent(c -> access.put(
                        c,
                        new Entitlements.Access(
                                Set.copyOf(granted.countries()), granted.startDate(), granted.endDate()))));
        return new Entitlements(access);
    }

    /** @param caller null where the account does not have the key any more */
    private void own(String sha256, String accountId, @Nullable Caller caller) {
        bySha256.compute(sha256, (hash, entry) -> {
            SortedMap<String, Caller> owners = entry == null ? new TreeMap<>() : new TreeMap<>(entry.owners());
            if (caller == null) {
                owners.remove(accountId);
            } else {
                owners.put(accountId, caller);
            }
            return owners.isEmpty() ? null : new Entry(hash, owners);
        });
    }

    /** Empty for a missing, an unknown and a revoked key alike. The key may have {@linkplain Caller#expiredAt expired}. */
    public Optional<Caller> caller(@Nullable String key) {
        if (key == null || key.isEmpty()) {
            return Optional.empty();
        }
        String sha256 = Hashes.sha256(key);
        Entry entry = bySha256.get(sha256);
        // The time of the lookup can tell a prefix of a guess' hash at most; the comparison takes constant time.
        return entry != null && Hashes.same(entry.sha256(), sha256)
                ? Optional.of(entry.owners().firstEntry().getValue())
                : Optional.empty();
    }
}
