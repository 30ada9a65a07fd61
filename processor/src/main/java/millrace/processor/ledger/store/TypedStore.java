package millrace.processor.ledger.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.Json;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Values of one kind, as JSON, in the store that all kinds share: there a key begins with the name of its kind. */
record TypedStore<V>(KeyValueStore<String, byte[]> store, String name, Class<V> type) {
    /** @param bytes of it in the store */
    record Stored<V>(V value, int bytes) {}

    @Nullable
    V get(String key) {
        Stored<V> stored = stored(key);
        return stored == null ? null : stored.value();
    }

    @Nullable
    Stored<V> stored(String key) {
        byte[] value = store.get(keyInStore(key));
        return value == null ? null : new Stored<>(read(value), value.length);
    }

    /** Nothing deletes: the store's own delete would read the old value first. */
    void remove(String key) {
        store.put(keyInStore(key), null);
    }

    /** @param value null removes what is there */
    void put(String key, @Nullable V value) {
        if (value == null) {
            remove(key);
        } else {
            var unused = write(key, value);
        }
    }

    Stored<V> write(String key, V value) {
        byte[] bytes = Json.bytes(value);
        store.put(keyInStore(key), bytes);
        return new Stored<>(value, bytes.length);
    }

    /** The first entries, at most so many, whose keys are neither before the one nor after the other. */
    List<KeyValue<String, V>> range(String from, String to, int most) {
        List<KeyValue<String, V>> found = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> entries = store.range(keyInStore(from), keyInStore(to))) {
            while (found.size() < most && entries.hasNext()) {
                KeyValue<String, byte[]> entry = entries.next();
                found.add(KeyValue.pair(entry.key.substring(keyInStore("").length()), read(entry.value)));
            }
        }
        return found;
    }

    private String keyInStore(String key) {
        return name + "/" + key;
    }

    /** Where it cannot be read the process ends: no command is to blame, and none may be decided without it. */
    private V read(byte[] bytes) {
        try {
            return Json.MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new StreamsException("the store holds what is no " + type.getSimpleName(), e);
        }
    }
}
