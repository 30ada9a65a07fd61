package millrace.e2e.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import millrace.contracts.topics.Topic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads topics with read_committed, as consumers of the public topics do. */
public final class CommittedTopicReader {
    private CommittedTopicReader() {}

    /** All records of a topic without tombstones, in the order of each partition. */
    public static <V> List<V> read(String bootstrapServers, Topic<V> topic) {
        List<V> values = new ArrayList<>();
        read(bootstrapServers, topic, record -> {
            if (record.value() != null) {
                values.add(topic.decode(record.value()));
            }
        });
        return values;
    }

    /** The keys of a compacted topic that have a value. */
    public static Set<String> keys(String bootstrapServers, Topic<?> topic) {
        Set<String> keys = new HashSet<>();
        read(bootstrapServers, topic, record -> {
            if (record.value() == null) {
                keys.remove(record.key());
            } else {
                keys.add(record.key());
            }
        });
        return keys;
    }

    private static void read(String bootstrapServers, Topic<?> topic, Consumer<ConsumerRecord<String, byte[]>> each) {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic.name()).stream()
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(each);
            }
        }
    }
}
