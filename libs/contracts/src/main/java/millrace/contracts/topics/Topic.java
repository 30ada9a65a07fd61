package millrace.contracts.topics;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.SerializationException;

/**
 * A topic with the type of its values. Keys are text. Values are JSON objects of one type, or raw
 * bytes where the type is {@code byte[]}.
 *
 * @param name only this declaration contains it
 * @param type of the values
 * @param keep retention of records
 * @param audience readers of the topic
 */
public record Topic<V>(String name, Class<V> type, Keep keep, Audience audience) {
    /** Largest record, enough for a request with its inline lists. */
    public static final int MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

    /**
     * Kafka refuses records with a timestamp further ahead of the broker's clock. A process with
     * such a clock would grant the credits of future months and forget reports too early.
     */
    private static final Duration CLOCK_AHEAD = Duration.ofHours(1);

    private static final Duration BRIEF = Duration.ofDays(1);

    /**
     * How long a compacted topic keeps the tombstones of its keys, unless it says otherwise. A reader
     * that stores what it has read and has not read for so long may have missed one, and must begin
     * again with an empty store.
     */
    public static final Duration TOMBSTONES_KEPT = Duration.ofDays(7);

    /**
     * After which time a compacted topic is compacted even where little is superseded, so that what is erased goes:
     * Kafka alone waits until half of it is superseded.
     */
    public static final Duration COMPACTED_AFTER = Duration.ofDays(7);

    /** Segments of compacted topics with many keys. */
    static final int SEGMENT_BYTES = 64 << 20;
    /** Segments of compacted topics whose few keys change often, so that little is read that is superseded. */
    static final int SMALL_SEGMENT_BYTES = 16 << 20;
    /** Kafka never compacts the segment that it writes, and begins a new one only once a week by itself. */
    private static final Duration SEGMENT_TIME = Duration.ofDays(1);

    /**
     * The partition of a key, as Kafka's default partitioner chooses it for producers and Streams.
     */
    public static int partition(String key, int partitions) {
        return org.apache.kafka.common.utils.Utils.toPositive(org.apache.kafka.common.utils.Utils.murmur2(
                        key.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                % partitions;
    }

    /** The argument of {@code Admin.listOffsets} for the end offsets of all partitions. */
    public Map<TopicPartition, OffsetSpec> ends(int partitions) {
        return IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(number -> new TopicPartition(name, number), number -> OffsetSpec.latest()));
    }

    /** The readers of a topic. */
    public enum Audience {
        /** Analytics teams: versioned, documented, with CloudEvents headers. */
        PUBLIC,
        /** Millrace's own services. */
        INTERNAL
    }

    /** The retention of records. */
    public sealed interface Keep {
        /**
         * The newest record of each key, for ever.
         *
         * @param tombstones how long a tombstone stays after it was compacted, at least
         * @param segmentBytes size of the segments; the one that is written is not compacted
         */
        record Newest(Duration tombstones, int segmentBytes) implements Keep {}

        /** Every record, for a time. */
        record All(Duration retention) implements Keep {}
    }

    /** Topic configuration: what follows from {@link #keep}, and limits that all topics share. */
    public Map<String, String> config() {
        Map<String, String> config = new TreeMap<>(Map.of(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(MAX_MESSAGE_BYTES),
                TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                Long.toString(CLOCK_AHEAD.toMillis())));
        switch (keep) {
            case Keep.Newest(Duration tombstones, int segmentBytes) -> {
                config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
                config.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, Long.toString(tombstones.toMillis()));
                config.put(TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, Long.toString(COMPACTED_AFTER.toMillis()));
                config.put(TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(segmentBytes));
                config.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(SEGMENT_TIME.toMillis()));
            }
            case Keep.All(Duration retention) -> {
                config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
                config.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis()));
                if (retention.compareTo(BRIEF) <= 0) {
                    // Kafka deletes whole segments, and begins a new one only once a week by itself.
                    config.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(retention.toMillis()));
                }
            }
        }
        return config;
    }

    public byte[] encode(V value) {
        return value instanceof byte[] raw ? raw : Json.bytes(value);
    }

    /** @throws SerializationException where the bytes are not a message of this topic */
    public V decode(byte[] bytes) {
        if (type == byte[].class) {
            return type.cast(bytes);
        }
        try {
            return Json.MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new SerializationException("not a message of topic " + name + ": " + e.getMessage(), e);
        }
    }
}
