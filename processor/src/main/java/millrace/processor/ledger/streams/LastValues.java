package millrace.processor.ledger.streams;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records of topics that keep the newest value of each key. Only the last value of a transaction is sent, when the
 * transaction is committed, since readers see all of its records at the same moment.
 */
final class LastValues {
    /** Limit of the values that are kept back. A newer value of a key that is kept may exceed it. */
    static final int MOST_BYTES = 1 << 20;

    private final Map<Key, OutgoingRecord> kept = new LinkedHashMap<>();
    private long bytes;

    private record Key(String topic, String key) {}

    /** Keeps a record back in place of the earlier one of its key. Returns false where it must be sent now. */
    boolean keep(OutgoingRecord record) {
        var key = new Key(record.topic(), record.record().key());
        OutgoingRecord before = kept.get(key);
        if (before == null && bytes + size(record) > MOST_BYTES) {
            return false;
        }
        kept.put(key, record);
        bytes += size(record) - (before == null ? 0 : size(before));
        return true;
    }

    /** Sends what was kept back, in the order of the first values of the keys. */
    void send(Consumer<OutgoingRecord> sender) {
        kept.values().forEach(sender);
        clear();
    }

    void clear() {
        kept.clear();
        bytes = 0;
    }

    private static int size(OutgoingRecord record) {
        byte @Nullable [] value = record.record().value();
        return value == null ? 0 : value.length;
    }
}
