package millrace.processor.repartition;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Finds the processes that say of themselves that they run; gateways are in no consumer group. */
final class RunningProcesses {
    /** A process that has said nothing for so long has ended. */
    static final Duration SILENCE = ProcessState.INTERVAL.multipliedBy(3);

    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaSettings kafka;
    private final InstantSource clock;

    RunningProcesses(KafkaSettings kafka, InstantSource clock) {
        this.kafka = kafka;
        this.clock = clock;
    }

    /** Their ids and services. */
    List<String> names() {
        Instant since = clock.instant().minus(SILENCE);
        Map<String, ProcessState> newest = new HashMap<>();
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(Topics.PROCESS_STATES.name())
                    .forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, Long> from = new HashMap<>();
            partitions.forEach(partition -> from.put(partition, since.toEpochMilli()));
            Map<TopicPartition, @Nullable OffsetAndTimestamp> begins = consumer.offsetsForTimes(from);
            consumer.assign(partitions);
            ends.forEach((partition, end) -> {
                OffsetAndTimestamp begin = begins.get(partition);
                consumer.seek(partition, begin == null ? end : begin.offset());
            });
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(record -> fold(record, newest));
            }
        }
        Set<String> running = new TreeSet<>();
        newest.values().forEach(state -> {
            if (state.at().isAfter(since)) {
                running.add(state.instanceId() + " ("
                        + String.join(", ", state.services().keySet()) + ")");
            }
        });
        return List.copyOf(running);
    }

    private static void fold(ConsumerRecord<String, byte[]> record, Map<String, ProcessState> newest) {
        if (record.value() == null) {
            newest.remove(record.key());
            return;
        }
        try {
            newest.put(record.key(), Topics.PROCESS_STATES.decode(record.value()));
        } catch (SerializationException e) {
            newest.remove(record.key()); // of another build, which the members of groups will tell
        }
    }
}
