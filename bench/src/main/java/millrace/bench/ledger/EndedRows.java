package millrace.bench.ledger;

import java.lang.reflect.Proxy;
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
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The rows that the ledger's own {@link EndedReports} write for many reports of a partition, in memory. The ledger would
 * need hours to end ten million.
 */
final class EndedRows {
    private final Map<String, byte[]> rows = new HashMap<>();
    private final EndedReports ended = new EndedReports(store());
    private final Random random;
    private final Instant now;

    EndedRows(long seed, Instant now) {
        this.random = new Random(seed);
        this.now = now;
    }

    /**
     * Adds a report that was complete within the last day.
     *
     * @param key its Idempotency-Key, or null
     */
    void add(String account, @Nullable String key) {
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
        rows.forEach(action);
    }

    /** A store that knows keys, and no ranges. */
    @SuppressWarnings("unchecked")
    private KeyValueStore<String, byte[]> store() {
        return (KeyValueStore<String, byte[]>) Proxy.newProxyInstance(
                EndedRows.class.getClassLoader(), new Class<?>[] {KeyValueStore.class}, (store, method, arguments) -> {
                    String key = (String) arguments[0];
                    return switch (method.getName()) {
                        case "get" -> rows.get(key);
                        case "put" -> {
                            if (arguments[1] == null) {
                                rows.remove(key);
                            } else {
                                rows.put(key, (byte[]) arguments[1]);
                            }
                            yield null;
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }
}
