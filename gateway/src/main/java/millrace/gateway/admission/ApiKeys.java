package millrace.gateway.admission;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import millrace.contracts.Dialect;
import millrace.contracts.Hashes;
import millrace.runtime.Account;
import org.jspecify.annotations.Nullable;

/** The usable keys of all accounts, known by their SHA-256 only. */
public final class ApiKeys {
    private record Entry(String sha256, Caller caller) {}

    private final Map<String, Entry> bySha256 = new ConcurrentHashMap<>();
    private final Map<String, Account> known = new ConcurrentHashMap<>();

    public ApiKeys() {}

    public ApiKeys(List<Account> accounts) {
        accounts.forEach(this::put);
    }

    /** An account that is new, or another one now. */
    public void put(Account account) {
        Account before = known.put(account.id(), account);
        List<Account.Key> usable =
                account.keys().stream().filter(Account.Key::usable).toList();
        for (Account.Key key : usable) {
            Dialect dialect = key.dialect() == null ? Dialect.V3 : key.dialect();
            bySha256.put(key.sha256(), new Entry(key.sha256(), new Caller(account, key.kind(), dialect)));
        }
        if (before != null) {
            List<String> stay = usable.stream().map(Account.Key::sha256).toList();
            before.keys().stream()
                    .map(Account.Key::sha256)
                    .filter(hash -> !stay.contains(hash))
                    .forEach(bySha256::remove);
        }
    }

    /** Empty for a key that is missing, unknown or switched off: they are not told apart. */
    public Optional<Caller> caller(@Nullable String key) {
        if (key == null || key.isEmpty()) {
            return Optional.empty();
        }
        String sha256 = Hashes.sha256(key);
        Entry entry = bySha256.get(sha256);
        // What a lookup by hash can leak in time is a prefix of the hash of a guess; the last word takes equal time.
        return entry != null && MessageDigest.isEqual(bytes(entry.sha256()), bytes(sha256))
                ? Optional.of(entry.caller())
                : Optional.empty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
