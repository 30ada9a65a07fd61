package millrace.processor.ledger.account.state;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values by key as they will be, over those as they are; each is read at most once. */
public final class PendingValues<K, V> {
    private final Function<K, @Nullable V> source;
    private final Map<K, Optional<V>> read = new HashMap<>();
    private final Map<K, Optional<V>> changed = new LinkedHashMap<>();

    PendingValues(Function<K, @Nullable V> source) {
        this.source = source;
    }

    /** Receives what became of one key; null stands for nothing. */
    @FunctionalInterface
    public interface Change<K, V> {
        void accept(K key, @Nullable V before, @Nullable V after);
    }

    /** Receives what one key becomes; null stands for nothing. */
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

    /** Only keys whose value is another one than before, in the order in which they were first touched. */
    public void forEachChange(Change<K, V> action) {
        changed.forEach((key, value) -> {
            V before = original(key);
            V after = value.orElse(null);
            if (before == null ? after != null : !before.equals(after)) {
                action.accept(key, before, after);
            }
        });
    }

    /** As {@link #forEachChange}, for who does not ask what was there: what was never read is not read for that. */
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
