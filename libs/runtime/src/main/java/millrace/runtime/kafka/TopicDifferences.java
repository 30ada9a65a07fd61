package millrace.runtime.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.topics.Topic;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Collects the differences between existing topics and their declarations. Dangerous ones break
 * what the services rely on: a key in the same partition of every topic, compaction, and room for
 * the largest record. Pure.
 */
final class TopicDifferences {
    private final KafkaSettings kafka;
    private final List<String> dangerous = new ArrayList<>();
    private final List<String> harmless = new ArrayList<>();
    private final Map<String, Map<String, String>> unset = new HashMap<>();

    TopicDifferences(KafkaSettings kafka) {
        this.kafka = kafka;
    }

    void add(Topic<?> topic, TopicDescription description, Config config) {
        String name = "topic " + topic.name() + " has ";
        int partitions = description.partitions().size();
        if (partitions != kafka.partitions()) {
            dangerous.add(name + partitions + " partitions, and kafka.partitions is " + kafka.partitions());
        }
        topic.config().forEach((key, declared) -> {
            ConfigEntry entry = config.get(key);
            if (entry != null && UnsetTopicSettings.isUnset(entry, declared)) {
                unset.computeIfAbsent(topic.name(), t -> new TreeMap<>()).put(key, declared);
            } else if (entry != null && !declared.equals(entry.value())) {
                (isDangerous(key, declared, entry.value()) ? dangerous : harmless)
                        .add(name + key + "=" + entry.value() + ", declared is " + declared);
            }
        });
        replicas(name, description, config);
    }

    /** @throws SettingsException where a difference is dangerous; says what to do */
    void refuse() {
        if (!dangerous.isEmpty()) {
            throw new SettingsException("Kafka's topics are not what Millrace needs: " + String.join("; ", dangerous)
                    + ". Set kafka.partitions to what all topics have (millrace-admin repartition changes that; never add"
                    + " partitions to a topic in use), and alter settings of topics with kafka-configs.sh.");
        }
    }

    /** A sentence for each harmless difference. */
    List<String> harmless() {
        return List.copyOf(harmless);
    }

    /** Settings of topics, by topic and name, that are to be set as declared since nobody has set them. */
    Map<String, Map<String, String>> unset() {
        return Map.copyOf(unset);
    }

    private void replicas(String name, TopicDescription description, Config config) {
        int replicas = description.partitions().stream()
                .map(TopicPartitionInfo::replicas)
                .mapToInt(List::size)
                .min()
                .orElse(0);
        if (replicas < kafka.replication()) {
            harmless.add(name + "replication factor " + replicas + ", and kafka.replication is " + kafka.replication());
        }
        for (Map.Entry<String, String> wanted : kafka.topicConfig().entrySet()) {
            ConfigEntry entry = config.get(wanted.getKey());
            if (entry != null && number(entry.value()) < number(wanted.getValue())) {
                harmless.add(name + wanted.getKey() + "=" + entry.value()
                        + ": what was acknowledged is lost with one broker; it should be " + wanted.getValue());
            }
        }
    }

    private static boolean isDangerous(String key, String declared, String value) {
        return switch (key) {
            case TopicConfig.CLEANUP_POLICY_CONFIG -> true;
            case TopicConfig.MAX_MESSAGE_BYTES_CONFIG -> number(value) < number(declared);
            default -> false;
        };
    }

    private static long number(String value) {
        return Long.parseLong(value);
    }
}
