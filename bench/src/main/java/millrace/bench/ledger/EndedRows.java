package millrace.bench.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiConsumer;
import millrace.processor.ledger.decide.EndedReport;
import millrace.processor.ledger.state.EndedReports;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The rows that the ledger's own {@link EndedReports} write for many reports of a partition, in memory. The ledger would
 * need hours to end ten million.
 */
public final class EndedRows {
    private final Rows rows = new Rows();
    private final EndedReports ended = new EndedReports(rows);
    private final Random random;
    private final Instant now;

    public EndedRows(long seed, Instant now) {
        this.random = new Random(seed);
        this.now = now;
    }

    /**
     * Adds a report that was complete within the last day.
     *
     * @param key its Idempotency-Key, or null
     */
    public void add(String account, @Nullable String key) {
        var id = new UUID(random.nextLong(), random.nextLong());
        var run = new UUID(random.nextLong(), random.nextLong());
        Instant end = now.minusSeconds(random.nextInt(86_400));
        Instant fileDue = end.plus(Duration.ofDays(30)).plus(Duration.ofHours(1));
        Instant knownUntil = end.plus(Duration.ofDays(400));
        ended.put(account, new EndedReport(id, 1, id + "/1/0-" + run + ".csv", fileDue, knownUntil, false, List.of()));
        if (key != null) {
            ended.claim(account, key, knownUntil);
        }
    }

    void forEach(BiConsumer<String, byte[]> action) {
        rows.content.forEach(action);
    }

    /** A store that knows keys, and no ranges. */
    private static final class Rows implements KeyValueStore<String, byte[]> {
        private final Map<String, byte[]> content = new HashMap<>();

        @Override
        public byte @Nullable [] get(String key) {
            return content.get(key);
        }

        @Override
        public void put(String key, byte @Nullable [] value) {
            if (value == null) {
                content.remove(key);
            } else {
                content.put(key, value);
            }
        }

        @Override
        public byte @Nullable [] putIfAbsent(String key, byte[] value) {
            return content.putIfAbsent(key, value);
        }

        @Override
        public void putAll(List<KeyValue<String, byte[]>> entries) {
            entries.forEach(entry -> put(entry.key, entry.value));
        }

        @Override
        public byte @Nullable [] delete(String key) {
            return content.remove(key);
        }

        @Override
        public KeyValueIterator<String, byte[]> range(String from, String to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyValueIterator<String, byte[]> all() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long approximateNumEntries() {
            return content.size();
        }

        @Override
        public String name() {
            return "rows";
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
}
