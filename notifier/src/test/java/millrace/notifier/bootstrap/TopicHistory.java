package millrace.notifier.bootstrap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The committed records of a topic. Each is read once, however often a test that waits asks for all of them. */
final class TopicHistory implements AutoCloseable {
    private final KafkaConsumer<String, byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();

    TopicHistory(Map<String, Object> clientConfig, String topic) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put("isolation.level", "read_committed");
        config.put("fetch.max.wait.ms", "10");
        consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
        partitions = consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(p.topic(), p.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** All records that are committed now. */
    List<ConsumerRecord<String, byte[]>> read() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
            consumer.poll(Duration.ofMillis(50)).forEach(records::add);
        }
        return List.copyOf(records);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
