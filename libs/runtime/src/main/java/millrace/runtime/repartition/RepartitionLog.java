package millrace.runtime.repartition;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.Json;
import millrace.contracts.topics.Topics;
import millrace.runtime.KafkaFutures;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The newest records of {@link Topics#REPARTITION}. */
public final class RepartitionLog {
    /** Key of the {@link RepartitionState}. */
    public static final String STATE = "state";

    private static final Duration POLL = Duration.ofMillis(100);

    private final Map<String, byte[]> newest;

    private RepartitionLog(Map<String, byte[]> newest) {
        this.newest = newest;
    }

    /** Reads the topic to its end; the log is empty where there is none. */
    public static RepartitionLog read(KafkaSettings kafka) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            return KafkaFutures.get(admin.listTopics().names()).contains(Topics.REPARTITION)
                    ? new RepartitionLog(records(kafka))
                    : new RepartitionLog(Map.of());
        }
    }

    /**
     * Refuses a start while the topics are not whole.
     *
     * @throws SettingsException that says what to do
     */
    public static void refuseUnfinished(KafkaSettings kafka) {
        RepartitionState state;
        try {
            state = read(kafka).state().orElse(null);
        } catch (AuthorizationException e) {
            throw new SettingsException("Kafka does not let this service read topic " + Topics.REPARTITION
                    + ", which says whether all topics are there; give its user the right to Read it");
        }
        if (state != null && !state.phase().isUsable()) {
            throw new SettingsException("The topics are on their way from " + state.from() + " to " + state.to()
                    + " partitions, and not all of them are there. Let millrace-admin repartition --partitions "
                    + state.to() + " finish that, or millrace-admin repartition --undo go back. Nothing was changed.");
        }
    }

    /** What was written last; empty where the number of partitions never changed. */
    public Optional<RepartitionState> state() {
        return value(STATE, RepartitionState.class);
    }

    public <T> Optional<T> value(String key, Class<T> type) {
        return Optional.ofNullable(newest.get(key)).map(bytes -> decoded(bytes, type));
    }

    /** @throws SerializationException where the bytes are no such record */
    public static <T> T decoded(byte[] bytes, Class<T> type) {
        try {
            return Json.MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new SerializationException("not a record of topic " + Topics.REPARTITION + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, byte[]> records(KafkaSettings kafka) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        var partition = new TopicPartition(Topics.REPARTITION, 0);
        Map<String, byte[]> newest = new HashMap<>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                    if (record.value() == null) {
                        newest.remove(record.key());
                    } else {
                        newest.put(record.key(), record.value());
                    }
                }
            }
        }
        return newest;
    }
}
