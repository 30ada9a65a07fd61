package millrace.simulation.ledger;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Iterates over entries of a store, in the order of their keys. */
final class StoreIterator implements KeyValueIterator<String, byte[]> {
    private final NavigableMap<String, byte[]> map;
    private final Iterator<Map.Entry<String, byte[]>> rest;
    private String last = "";

    StoreIterator(NavigableMap<String, byte[]> map) {
        this.map = map;
        this.rest = map.entrySet().iterator();
    }

    @Override
    public boolean hasNext() {
        return rest.hasNext();
    }

    @Override
    public KeyValue<String, byte[]> next() {
        Map.Entry<String, byte[]> entry = rest.next();
        last = entry.getKey();
        return KeyValue.pair(entry.getKey(), entry.getValue());
    }

    @Override
    public String peekNextKey() {
        return last.isEmpty() ? map.firstKey() : map.higherKey(last);
    }

    @Override
    public void close() {}
}
