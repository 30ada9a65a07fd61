package millrace.gateway;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads what is committed in topics. */
public record TopicReader(String bootstrapServers) {

    /** All values so far, those of one key in their order. */
    public <V> List<V> read(Topic<V> topic) {
        return values(topic).stream().map(topic::decode).toList();
    }

    public String text(Topic<?> topic) {
        var text = new StringBuilder();
        values(topic).forEach(v -> text.append(new String(v, StandardCharsets.UTF_8)));
        return text.toString();
    }

    /** Where the topics end: another number after anything was written to one of them. */
    public long end(Topic<?>... topics) {
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = Arrays.stream(topics)
                    .flatMap(t -> partitions(consumer, t).stream())
                    .toList();
            return consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    private KafkaConsumer<String, byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitions(KafkaConsumer<String, byte[]> consumer, Topic<?> topic) {
        return consumer.partitionsFor(topic.name()).stream()
                .map(p -> new TopicPartition(topic.name(), p.partition()))
                .toList();
    }

    private List<byte[]> values(Topic<?> topic) {
        List<byte[]> values = new ArrayList<>();
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }
}
