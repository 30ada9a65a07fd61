package millrace.processor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A shelf whose last few values are kept decoded: what a command writes the next one about the same report or account reads,
 * and a report of a thousand slices reads its request a thousand times. Values never change. It must not outlive its store: where a
 * transaction is undone the store is opened anew, and so is this.
 */
final class RecentValues<V> {
    /** However heavy they are. */
    private static final int ALWAYS_KEPT = 4;

    private final Map<String, V> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final Shelf<V> shelf;
    private final ToIntFunction<V> weight;
    private final int room;
    private int weightKept;

    /**
     * @param weight of a value, for example the length of its list
     * @param room how much the kept ones may weigh together
     */
    RecentValues(Shelf<V> shelf, ToIntFunction<V> weight, int room) {
        this.shelf = shelf;
        this.weight = weight;
        this.room = room;
    }

    @Nullable
    V get(String key) {
        V known = kept.get(key);
        if (known != null) {
            return known;
        }
        V value = shelf.get(key);
        if (value != null) {
            keep(key, value);
        }
        return value;
    }

    /** Nothing deletes. */
    void put(String key, @Nullable V value) {
        shelf.put(key, value);
        if (value == null) {
            forget(key);
        } else {
            keep(key, value);
        }
    }

    private void keep(String key, V value) {
        forget(key);
        kept.put(key, value);
        weightKept += weight.applyAsInt(value);
        while (weightKept > room && kept.size() > ALWAYS_KEPT) {
            forget(kept.keySet().iterator().next());
        }
    }

    private void forget(String key) {
        V old = kept.remove(key);
        if (old != null) {
            weightKept -= weight.applyAsInt(old);
        }
    }
}
