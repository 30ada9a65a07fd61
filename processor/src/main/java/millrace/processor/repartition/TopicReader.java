package millrace.processor.repartition;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads whole topics. */
final class TopicReader {
    private static final Duration POLL = Duration.ofMillis(100);
    /** For all partitions together, and of one of them at least a batch. */
    private static final int FETCH_BYTES = 16 << 20;

    private static final int PARTITION_BYTES = 1 << 20;

    private final KafkaSettings kafka;
    private final String name;

    /** @param name part of the ids of clients */
    TopicReader(KafkaSettings kafka, String name) {
        this.kafka = kafka;
        this.name = name;
    }

    Consumer<byte[], byte[]> consumer() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, name);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2000);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_BYTES);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static Map<TopicPartition, Long> ends(Consumer<byte[], byte[]> consumer, String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        return consumer.endOffsets(partitions);
    }

    /** Each record of the topic, those of a partition in their order. */
    void forEach(String topic, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> action) {
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            Map<TopicPartition, Long> ends = ends(consumer, topic);
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(ends.keySet());
            var stall = new Stall(ends.keySet());
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(action);
                stall.check(consumer);
            }
        }
    }
}
