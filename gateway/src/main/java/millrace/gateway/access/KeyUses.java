package millrace.gateway.access;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When keys were last used, to the hour: at most one use of each key in an hour is kept. Each
 * request looks into a map; what is new is written by somebody else. Safe for use by many threads.
 */
@Singleton
public final class KeyUses {
    static final Duration INTERVAL = Duration.ofHours(1);

    /** What Kafka has, by key id, in milliseconds since 1970. */
    private final Map<String, Long> written = new ConcurrentHashMap<>();
    /** What is to be written: of valid keys of accounts only. */
    private final Map<String, Long> unwritten = new ConcurrentHashMap<>();

    /** Notes that somebody uses a key, which is one of an account. */
    public void used(String keyId, Instant now) {
        long at = now.toEpochMilli();
        Long last = written.get(keyId);
        if (last == null || at - last >= INTERVAL.toMillis()) {
            unwritten.putIfAbsent(keyId, at);
        }
    }

    public Optional<Instant> lastUsed(String keyId) {
        Long waiting = unwritten.get(keyId);
        return Optional.ofNullable(waiting == null ? written.get(keyId) : waiting)
                .map(Instant::ofEpochMilli);
    }

    /** Uses that Kafka does not have yet, by key id. */
    Map<String, Instant> unwritten() {
        Map<String, Instant> uses = new HashMap<>();
        unwritten.forEach((keyId, at) -> uses.put(keyId, Instant.ofEpochMilli(at)));
        return uses;
    }

    /** Kafka has this use, of this gateway or another one. Uses of gateways may come in any order. */
    public void written(String keyId, Instant lastUsedAt) {
        long at = written.merge(keyId, lastUsedAt.toEpochMilli(), Math::max);
        unwritten.computeIfPresent(keyId, (id, waiting) -> waiting - at < INTERVAL.toMillis() ? null : waiting);
    }

    /** Kafka has no use of the key any more. */
    public void forgotten(String keyId) {
        written.remove(keyId);
    }

    /** Ids of keys that nobody has used since then, as far as Kafka knows. */
    Set<String> unusedSince(Instant time) {
        Set<String> unused = new HashSet<>();
        written.forEach((keyId, at) -> {
            if (at < time.toEpochMilli()) {
                unused.add(keyId);
            }
        });
        return unused;
    }
}
