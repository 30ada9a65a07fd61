package millrace.processor.ledger.store;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A typed store that caches recently used values decoded. The next command about a report reads what the last one
 * wrote, and a report of a thousand slices reads its request a thousand times. Values are immutable. The cache must not
 * outlive its store: after an aborted transaction both are created again.
 */
public final class CachedTypedStore<V> {
    private final Map<String, TypedStore.Stored<V>> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final TypedStore<V> typedStore;
    private final int room;
    private long bytesKept;

    /** @param room total size of the cached values in the store, in bytes; the newest value is always kept */
    CachedTypedStore(TypedStore<V> typedStore, int room) {
        this.typedStore = typedStore;
        this.room = room;
    }

    @Nullable
    public V get(String key) {
        TypedStore.Stored<V> known = kept.get(key);
        if (known != null) {
            return known.value();
        }
        TypedStore.Stored<V> stored = typedStore.stored(key);
        if (stored == null) {
            return null;
        }
        keep(key, stored);
        return stored.value();
    }

    /** @param value null removes the key */
    void put(String key, @Nullable V value) {
        if (value == null) {
            typedStore.remove(key);
            forget(key);
        } else {
            keep(key, typedStore.write(key, value));
        }
    }

    private void keep(String key, TypedStore.Stored<V> value) {
        forget(key);
        kept.put(key, value);
        bytesKept += value.bytes();
        while (bytesKept > room && kept.size() > 1) {
            forget(kept.keySet().iterator().next());
        }
    }

    private void forget(String key) {
        TypedStore.Stored<V> old = kept.remove(key);
        if (old != null) {
            bytesKept -= old.bytes();
        }
    }
}
