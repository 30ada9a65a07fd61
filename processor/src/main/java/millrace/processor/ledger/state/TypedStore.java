package millrace.processor.ledger.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.Json;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The values of one kind, as JSON, in the store that all kinds share. Its keys begin with the name of the kind. */
record TypedStore<V>(KeyValueStore<String, byte[]> store, String name, Class<V> type) {
    /** @param bytes size of the encoded value */
    record Stored<V>(V value, int bytes) {}

    @Nullable
    V get(String key) {
        Stored<V> stored = stored(key);
        return stored == null ? null : stored.value();
    }

    @Nullable
    Stored<V> stored(String key) {
        byte[] value = store.get(keyInStore(key));
        return value == null ? null : new Stored<>(decode(value, type), value.length);
    }

    /** Writes null instead of a delete, which would read the old value first. */
    void remove(String key) {
        store.put(keyInStore(key), null);
    }

    /** @param value null removes the key */
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

    /** The first entries with keys from {@code from} to {@code to}, both included, at most {@code most}. */
    List<KeyValue<String, V>> range(String from, String to, int most) {
        List<KeyValue<String, V>> found = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> entries = store.range(keyInStore(from), keyInStore(to))) {
            while (found.size() < most && entries.hasNext()) {
                KeyValue<String, byte[]> entry = entries.next();
                found.add(KeyValue.pair(entry.key.substring(keyInStore("").length()), decode(entry.value, type)));
            }
        }
        return found;
    }

    private String keyInStore(String key) {
        return name + "/" + key;
    }

    /**
     * A value that cannot be decoded ends the process: it is not the fault of the command, and no command may be
     * decided without the value.
     */
    static <T> T decode(byte[] bytes, Class<T> type) {
        try {
            return Json.MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new StreamsException("the store holds what is no " + type.getSimpleName(), e);
        }
    }
}
