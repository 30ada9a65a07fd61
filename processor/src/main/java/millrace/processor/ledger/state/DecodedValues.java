package millrace.processor.ledger.state;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of several stores of one kind, of which the least recently used make room for others. Those of a store that is
 * closed are found by nobody, and go in their turn. For one thread only.
 */
final class DecodedValues {
    private final Map<Place, TypedStore.Stored<?>> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final int room;
    private long bytesKept;

    private record Place(CachedTypedStore<?> store, String key) {}

    /** @param room total size of the values in their stores, in bytes; the newest value is always kept */
    DecodedValues(int room) {
        this.room = room;
    }

    @SuppressWarnings("unchecked") // a store gets what it has put
    <V> TypedStore.@Nullable Stored<V> get(CachedTypedStore<V> store, String key) {
        return (TypedStore.Stored<V>) kept.get(new Place(store, key));
    }

    <V> void keep(CachedTypedStore<V> store, String key, TypedStore.Stored<V> value) {
        forget(store, key);
        kept.put(new Place(store, key), value);
        bytesKept += value.bytes();
        while (bytesKept > room && kept.size() > 1) {
            forget(kept.keySet().iterator().next());
        }
    }

    void forget(CachedTypedStore<?> store, String key) {
        forget(new Place(store, key));
    }

    private void forget(Place place) {
        TypedStore.Stored<?> old = kept.remove(place);
        if (old != null) {
            bytesKept -= old.bytes();
        }
    }
}
