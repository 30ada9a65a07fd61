package millrace.simulation.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory store of one task, ordered by key. As in a cached store of Streams, a key that is written several times
 * before a commit goes to the changelog once.
 */
final class LedgerStore implements KeyValueStore<String, byte[]> {
    private final String name;
    private final NavigableMap<String, byte[]> entries = new TreeMap<>();
    /** Keys written since the last flush, in the order of their first write. */
    private final Map<String, Boolean> written = new LinkedHashMap<>();

    LedgerStore(String name) {
        this.name = name;
    }

    /** Applies a record of the changelog. */
    void restore(String key, byte @Nullable [] value) {
        set(key, value);
    }

    /** Passes on the keys that were written since the last flush; the value is null for a removed key. */
    void flush(BiConsumer<String, byte @Nullable []> changelog) {
        written.keySet().forEach(key -> changelog.accept(key, entries.get(key)));
        written.clear();
    }

    private void set(String key, byte @Nullable [] value) {
        if (value == null) {
            entries.remove(key);
        } else {
            entries.put(key, value);
        }
    }

    @Override
    public void put(String key, byte @Nullable [] value) {
        set(key, value);
        written.put(key, true);
    }

    @Override
    public byte @Nullable [] putIfAbsent(String key, byte[] value) {
        byte[] before = entries.get(key);
        if (before == null) {
            put(key, value);
        }
        return before;
    }

    @Override
    public void putAll(List<KeyValue<String, byte[]>> all) {
        all.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte @Nullable [] delete(String key) {
        byte[] before = entries.get(key);
        put(key, null);
        return before;
    }

    @Override
    public byte @Nullable [] get(String key) {
        return entries.get(key);
    }

    @Override
    public KeyValueIterator<String, byte[]> range(String from, String to) {
        return new StoreIterator(entries.subMap(from, true, to, true));
    }

    @Override
    public KeyValueIterator<String, byte[]> all() {
        return new StoreIterator(entries);
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {}

    @Override
    public void close() {}

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
