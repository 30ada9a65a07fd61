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
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic as one typed value: keys are text, values are JSON objects of one type, or bytes as they are where the type is
 * {@code byte[]}.
 *
 * @param name the only place where it is written
 * @param type of the values
 * @param keep how long records stay
 * @param audience who may read it
 */
public record Topic<V>(String name, Class<V> type, Keep keep, Audience audience) {
    /** Room for a request with its entities. */
    public static final int MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

    /**
     * Kafka refuses records of a process whose clock is further ahead of the broker's. Such a process would grant credits of months
     * to come, and forget reports too early.
     */
    private static final Duration CLOCK_AHEAD = Duration.ofHours(1);

    /** Partition for a key: that of Kafka's default partitioner, which producers, Streams and readers share. */
    public static int partition(String key, int partitions) {
        return org.apache.kafka.common.utils.Utils.toPositive(org.apache.kafka.common.utils.Utils.murmur2(
                        key.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                % partitions;
    }

    /** What to ask an admin client for to learn where its partitions end. */
    public Map<TopicPartition, OffsetSpec> ends(int partitions) {
        return IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(number -> new TopicPartition(name, number), number -> OffsetSpec.latest()));
    }

    /** Who may read a topic. */
    public enum Audience {
        /** Analytics teams: versioned, documented, with CloudEvents headers. */
        PUBLIC,
        /** Millrace's own services. */
        INTERNAL
    }

    /** How long records stay. */
    public sealed interface Keep {
        /** The newest record of each key, for ever. */
        record Newest() implements Keep {}

        /** Every record, for a time. */
        record All(Duration retention) implements Keep {}
    }

    /** Topic settings of the broker, which follow from {@link #keep} but for limits that all topics share. */
    public Map<String, String> config() {
        Map<String, String> config = new TreeMap<>(Map.of(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(MAX_MESSAGE_BYTES),
                TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                Long.toString(CLOCK_AHEAD.toMillis())));
        switch (keep) {
            case Keep.Newest() -> config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
            case Keep.All(Duration retention) -> {
                config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
                config.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis()));
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

    /** Values; null stands for a tombstone. */
    public Serde<V> serde() {
        return Serdes.serdeFrom(new Encoder<>(this), new Decoder<>(this));
    }

    private record Encoder<V>(Topic<V> topic) implements Serializer<V> {
        @Override
        public byte @Nullable [] serialize(String name, @Nullable V value) {
            return value == null ? null : topic.encode(value);
        }
    }

    private record Decoder<V>(Topic<V> topic) implements Deserializer<V> {
        @Override
        public @Nullable V deserialize(String name, byte @Nullable [] bytes) {
            return bytes == null ? null : topic.decode(bytes);
        }
    }
}
