package millrace.processor.ledger.state;

import org.jspecify.annotations.Nullable;

/**
 * A typed store that caches recently used values decoded. The next command about a report reads what the last one
 * wrote, and a report of a thousand slices reads its request a thousand times. Values are immutable. It must not outlive
 * its store: after an aborted transaction both are created again.
 */
public final class CachedTypedStore<V> {
    private final TypedStore<V> typedStore;
    private final DecodedValues decoded;

    /** @param decoded where values are cached, with those of other stores */
    CachedTypedStore(TypedStore<V> typedStore, DecodedValues decoded) {
        this.typedStore = typedStore;
        this.decoded = decoded;
    }

    @Nullable
    public V get(String key) {
        TypedStore.Stored<V> known = decoded.get(this, key);
        if (known != null) {
            return known.value();
        }
        TypedStore.Stored<V> stored = typedStore.stored(key);
        if (stored == null) {
            return null;
        }
        decoded.keep(this, key, stored);
        return stored.value();
    }

    /** @param value null removes the key */
    void put(String key, @Nullable V value) {
        if (value == null) {
            typedStore.remove(key);
            decoded.forget(this, key);
        } else {
            decoded.keep(this, key, typedStore.write(key, value));
        }
    }
}
