package millrace.processor.repartition;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import millrace.contracts.Json;
import millrace.contracts.topics.Topics;
import millrace.runtime.repartition.RepartitionLog;
import millrace.runtime.repartition.RepartitionState;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Reads and writes {@link Topics#REPARTITION}. What was written is on all in-sync replicas. */
final class StateWriter implements AutoCloseable {
    /** The metadata of a thousand partitions are some megabytes. */
    private static final int RECORD_BYTES = 8 << 20;

    private static final int REPLICAS = 3;

    private final KafkaSettings kafka;
    private final Brokers brokers;
    private final Producer<String, byte[]> producer;
    private final Map<String, byte[]> written = new HashMap<>();
    private final RepartitionLog read;

    StateWriter(KafkaSettings kafka, Brokers brokers) {
        this.kafka = kafka;
        this.brokers = brokers;
        this.read = RepartitionLog.read(kafka);
        Map<String, Object> config = kafka.producerConfig("repartition-state");
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, RECORD_BYTES);
        this.producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

    /** Creates the topic if it does not exist. */
    void create() {
        if (brokers.describe(List.of(Topics.REPARTITION)).isEmpty()) {
            Map<String, String> config = new HashMap<>(kafka.topicConfig());
            config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
            config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(RECORD_BYTES));
            brokers.make(new NewTopic(Topics.REPARTITION, 1, (short) replicas()).configs(config));
        }
    }

    /** As many as the services' topics have, at most three. */
    private int replicas() {
        return brokers.describe(List.of(Topics.ACCOUNT_COMMANDS.name())).values().stream()
                .map(topic -> topic.partitions().getFirst().replicas().size())
                .findFirst()
                .map(known -> Math.min(REPLICAS, known))
                .orElse(1);
    }

    Optional<RepartitionState> state() {
        return value(RepartitionLog.STATE, RepartitionState.class);
    }

    /** The topics that existed when it began. */
    Set<String> topics(RepartitionState state) {
        Set<String> topics = new TreeSet<>();
        state.ids().keySet().forEach(topic -> value(MovedTopic.key(topic), MovedTopic.class)
                .ifPresent(known -> topics.add(topic)));
        return topics;
    }

    MovedTopic topic(String topic) {
        return value(MovedTopic.key(topic), MovedTopic.class)
                .orElseThrow(() -> new RepartitionException(
                        "topic " + Topics.REPARTITION + " says nothing of " + topic + "; was it deleted?"));
    }

    private <T> Optional<T> value(String key, Class<T> type) {
        byte[] bytes = written.get(key);
        return bytes == null ? read.value(key, type) : Optional.of(RepartitionLog.decoded(bytes, type));
    }

    void write(RepartitionState state) {
        write(RepartitionLog.STATE, Json.bytes(state));
    }

    void write(String topic, MovedTopic state) {
        write(MovedTopic.key(topic), Json.bytes(state));
    }

    private void write(String key, byte[] value) {
        try {
            var unused = producer.send(new ProducerRecord<>(Topics.REPARTITION, 0, key, value))
                    .get();
            written.put(key, value);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        } catch (ExecutionException e) {
            throw new KafkaException("what was done cannot be written down: " + e.getCause(), e.getCause());
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(2));
    }
}
