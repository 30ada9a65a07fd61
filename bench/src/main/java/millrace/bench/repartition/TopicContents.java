package millrace.bench.repartition;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import millrace.bench.process.BenchKafka;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.state.RepartitionedState;
import org.jspecify.annotations.Nullable;

/**
 * What topics hold for their readers, whatever their partitions are: of compacted ones the newest value of each key, of
 * others each record; what the ledger's state has of each partition, as if there were one. Takes some 100 bytes for each
 * key of one topic.
 */
final class TopicContents {

    private TopicContents() {}

    /** Records or keys, and the sum of their hashes. */
    record Content(long number, long sum) {}

    /** By topic. */
    static Map<String, Content> read(BenchKafka kafka) {
        Map<String, Content> contents = new TreeMap<>();
        for (Topic<?> topic : Topics.ALL) {
            if (!topic.equals(Topics.PROCESS_STATES)) { // what a processor says of itself
                boolean newest = topic.keep() instanceof Topic.Keep.Newest;
                contents.put(topic.name(), read(kafka, topic.name(), newest));
            }
        }
        contents.put(Topics.LEDGER_CHANGELOG, read(kafka, Topics.LEDGER_CHANGELOG, true));
        return contents;
    }

    private static Content read(BenchKafka kafka, String topic, boolean newest) {
        Map<Long, Long> values = new HashMap<>();
        var state = new RepartitionedState(1);
        boolean ledger = topic.equals(Topics.LEDGER_CHANGELOG);
        var all = new long[2];
        kafka.forEach(topic, record -> {
            String key = String.valueOf(record.key());
            if (ledger && !state.keeps(record.partition(), key, record.value())) {
                return;
            }
            byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
            if (!newest) {
                all[0]++;
                all[1] += hash(keyBytes, record.value());
            } else if (record.value() == null) {
                values.remove(hash(keyBytes, null));
            } else {
                values.put(hash(keyBytes, null), hash(keyBytes, record.value()));
            }
        });
        state.of(0).forEach((key, value) -> {
            byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
            values.put(hash(keyBytes, null), hash(keyBytes, value));
        });
        return newest
                ? new Content(
                        values.size(),
                        values.values().stream().mapToLong(Long::longValue).sum())
                : new Content(all[0], all[1]);
    }

    private static long hash(byte[] key, byte @Nullable [] value) {
        long high = sum(new CRC32C(), key, value);
        long low = sum(new CRC32(), key, value);
        return ((high << 32) | low) * 0x9E3779B97F4A7C15L;
    }

    private static long sum(Checksum checksum, byte[] key, byte @Nullable [] value) {
        for (byte[] part : value == null ? List.of(key) : List.of(key, value)) {
            checksum.update(part, 0, part.length);
            checksum.update(part.length);
        }
        return checksum.getValue();
    }
}
