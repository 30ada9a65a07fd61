package millrace.runtime.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import millrace.contracts.topics.Topic;
import millrace.runtime.KafkaFutures;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Finds consumer groups whose offsets Kafka has deleted, which it does where no member runs for
 * {@code offsets.retention.minutes}. Such a group would start from the beginning, as a new one
 * does, and do again all work that Kafka still has.
 */
public final class ExpiredOffsetsCheck {
    private static final Duration POLL = Duration.ofMillis(100);
    /**
     * Added to the suggested time, so that work is repeated rather than lost that was in progress
     * when the last member stopped.
     */
    private static final Duration OVERLAP = Duration.ofHours(1);

    private ExpiredOffsetsCheck() {}

    /**
     * Refuses to start a group that has worked and has no offsets. Must be called before the group
     * is joined.
     *
     * @param reads the topic that the group reads
     * @param traces topics that are written only in transactions which commit offsets of the group
     * @throws SettingsException that says what to do; also where Kafka does not answer
     */
    public static void refuse(KafkaSettings kafka, String group, Topic<?> reads, Collection<Topic<?>> traces) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            // Reads the traces before the offsets, so that the offsets of a trace that is found are committed.
            Map<TopicPartition, Long> beginnings = offsets(admin, kafka, traces, OffsetSpec::earliest);
            Map<TopicPartition, Long> ends = offsets(admin, kafka, traces, OffsetSpec::latest);
            if (ends.values().stream().allMatch(end -> end == 0) || has(admin, group)) {
                return;
            }
            if (beginnings.values().stream().anyMatch(beginning -> beginning > 0) || holdRecords(kafka, ends)) {
                throw new SettingsException(sentence(group, reads, newest(admin, kafka, traces)));
            }
        } catch (KafkaException e) {
            throw new SettingsException("Kafka cannot say how far " + group + " had come: " + e.getMessage());
        }
    }

    /**
     * Whether Kafka has any offset of the group. Where there is none, waits for the end of
     * transactions that commit some. A transaction of a killed process can take seconds to end, so
     * this waits only then.
     */
    public static boolean has(Admin admin, String group) {
        return has(admin, group, false) || has(admin, group, true);
    }

    private static boolean has(Admin admin, String group, boolean stable) {
        var options = new ListConsumerGroupOffsetsOptions().requireStable(stable);
        return KafkaFutures.get(admin.listConsumerGroupOffsets(group, options).partitionsToOffsetAndMetadata())
                .values()
                .stream()
                .anyMatch(Objects::nonNull);
    }

    private static Map<TopicPartition, Long> offsets(
            Admin admin, KafkaSettings kafka, Collection<Topic<?>> topics, Supplier<OffsetSpec> spec) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        ask(admin, kafka, topics, spec).forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }

    /** Offsets of committed records. */
    private static Map<TopicPartition, ListOffsetsResultInfo> ask(
            Admin admin, KafkaSettings kafka, Collection<Topic<?>> topics, Supplier<OffsetSpec> spec) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (Topic<?> topic : topics) {
            topic.ends(kafka.partitions()).keySet().forEach(partition -> wanted.put(partition, spec.get()));
        }
        return KafkaFutures.get(admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all());
    }

    /** Offsets alone do not tell: aborted transactions leave offsets and no records. */
    private static boolean holdRecords(KafkaSettings kafka, Map<TopicPartition, Long> ends) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        var bytes = new ByteArrayDeserializer();
        try (var reader = new KafkaConsumer<>(config, bytes, bytes)) {
            reader.assign(ends.keySet());
            reader.seekToBeginning(ends.keySet());
            while (ends.entrySet().stream().anyMatch(end -> reader.position(end.getKey()) < end.getValue())) {
                if (!reader.poll(POLL).isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }

    private static Instant newest(Admin admin, KafkaSettings kafka, Collection<Topic<?>> traces) {
        long newest = ask(admin, kafka, traces, OffsetSpec::maxTimestamp).values().stream()
                .mapToLong(ListOffsetsResultInfo::timestamp)
                .max()
                .orElse(0);
        return Instant.ofEpochMilli(Math.max(0, newest));
    }

    private static String sentence(String group, Topic<?> reads, Instant newest) {
        // The format of kafka-consumer-groups.sh: no zone, which means UTC.
        String since = newest.minus(OVERLAP).toString().replace("Z", "");
        return "Kafka has forgotten how far " + group + " had come in " + reads.name()
                + ": it had no member for longer than the brokers' offsets.retention.minutes. Say where it goes on, with"
                + " kafka-consumer-groups.sh --bootstrap-server … --reset-offsets --execute --group " + group
                + " --topic " + reads.name() + " and --to-datetime " + since
                + " (an hour before the last that is known of it; what it did since then is done once more), or --to-latest"
                + " (nothing of what waits is done), or --to-earliest (all that Kafka has is done once more).";
    }
}
