package millrace.e2e.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads topics with read_committed, as consumers of the public topics do. */
public final class CommittedTopicReader {
    private CommittedTopicReader() {}

    /** All records of a topic without tombstones, in the order of each partition. */
    public static <V> List<V> read(String bootstrapServers, Topic<V> topic) {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic.name()).stream()
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<V> values = new ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(r -> {
                    if (r.value() != null) {
                        values.add(topic.decode(r.value()));
                    }
                });
            }
            return values;
        }
    }
}
