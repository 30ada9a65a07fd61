package millrace.simulation.ledger;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import millrace.contracts.topics.RequestRecord;
import millrace.processor.ledger.state.LedgerStores;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Converts records to a form that does not depend on the time when they were written. */
final class ComparableRecord {
    private static final String INSTANT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z";
    private static final String MILLIS = "\\d{16}";

    private ComparableRecord() {}

    static String of(ConsumerRecord<String, byte[]> record) {
        List<String> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            String value = text(header.value());
            headers.add(header.key() + "="
                    + timeless(
                            header.key().equals(RequestRecord.HEADER)
                                    ? value.replaceFirst("^\\d+", "(millis)")
                                    : value));
        }
        return record.key() + " " + headers + " " + timeless(text(record.value()));
    }

    /** The newest record of each key. */
    static List<String> newest(List<ConsumerRecord<String, byte[]>> records) {
        Map<String, String> newest = new TreeMap<>();
        records.forEach(record -> newest.put(record.key(), of(record)));
        return List.copyOf(newest.values());
    }

    /** The content of the store with this changelog. */
    static List<String> state(List<ConsumerRecord<String, byte[]>> changelog) {
        Map<String, String> state = new TreeMap<>();
        for (ConsumerRecord<String, byte[]> record : changelog) {
            if (record.value() == null) {
                state.remove(record.key());
            } else {
                byte[] value = record.value();
                state.put(record.key(), isOfTime(record.key()) ? value.length + " bytes" : text(value));
            }
        }
        return state.entrySet().stream()
                .map(entry -> timeless(entry.getKey() + "=" + entry.getValue()))
                .sorted()
                .toList();
    }

    /** Whether a row is a time, or has reports that have ended, as bytes, times among them. */
    private static boolean isOfTime(String key) {
        return Stream.of(LedgerStores.ENDED, LedgerStores.ENDED_AGENDA, LedgerStores.CLOCK)
                .anyMatch(kind -> key.startsWith(kind + "/"));
    }

    private static String text(byte @Nullable [] value) {
        return value == null ? "null" : new String(value, StandardCharsets.UTF_8);
    }

    private static String timeless(String text) {
        return text.replaceAll(INSTANT, "(time)")
                .replaceAll(MILLIS, "(millis)")
                .replaceAll("\"(elapsed_millis|elapsedMillis)\":\\d+", "(elapsed)");
    }
}
