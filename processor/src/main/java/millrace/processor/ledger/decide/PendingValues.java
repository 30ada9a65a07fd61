package millrace.processor.ledger.decide;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** New values by key, over the stored ones. Each stored value is read at most once. */
public final class PendingValues<K, V> {
    private final Function<K, @Nullable V> source;
    private final Map<K, Optional<V>> read = new HashMap<>();
    private final Map<K, Optional<V>> changed = new LinkedHashMap<>();

    PendingValues(Function<K, @Nullable V> source) {
        this.source = source;
    }

    /** Receives the old and new value of a key; null where there is none. */
    @FunctionalInterface
    public interface Change<K, V> {
        void accept(K key, @Nullable V before, @Nullable V after);
    }

    /** Receives the new value of a key; null where it is removed. */
    @FunctionalInterface
    public interface Write<K, V> {
        void accept(K key, @Nullable V after);
    }

    @Nullable
    public V get(K key) {
        Optional<V> now = changed.get(key);
        return now == null ? original(key) : now.orElse(null);
    }

    void put(K key, V value) {
        changed.put(key, Optional.of(value));
    }

    void remove(K key) {
        changed.put(key, Optional.empty());
    }

    /** Visits the keys whose value differs from the stored one, in the order in which they were first changed. */
    public void forEachChange(Change<K, V> action) {
        changed.forEach((key, value) -> {
            V before = original(key);
            V after = value.orElse(null);
            if (before == null ? after != null : !before.equals(after)) {
                action.accept(key, before, after);
            }
        });
    }

    /** Visits keys as {@link #forEachChange} does, but does not read the stored value of a key that has a new one. */
    public void forEachWrite(Write<K, V> action) {
        changed.forEach((key, value) -> {
            Optional<V> known = value.isEmpty() ? Optional.ofNullable(original(key)) : read.get(key);
            if (!value.equals(known)) {
                action.accept(key, value.orElse(null));
            }
        });
    }

    private @Nullable V original(K key) {
        return read.computeIfAbsent(key, k -> Optional.ofNullable(source.apply(k)))
                .orElse(null);
    }
}
