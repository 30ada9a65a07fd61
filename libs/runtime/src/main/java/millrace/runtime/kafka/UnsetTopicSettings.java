package millrace.runtime.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets settings of existing topics that earlier builds did not declare: those of segments, compaction and tombstones, by
 * which no record is lost. What somebody has set on the topic itself stays.
 */
public final class UnsetTopicSettings {
    private static final Logger LOG = LoggerFactory.getLogger(UnsetTopicSettings.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Set<String> KEYS = Set.of(
            TopicConfig.SEGMENT_BYTES_CONFIG,
            TopicConfig.SEGMENT_MS_CONFIG,
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
            TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
            TopicConfig.DELETE_RETENTION_MS_CONFIG);

    private UnsetTopicSettings() {}

    /** Whether the setting is one of these, has another value than declared, and is not set on the topic itself. */
    static boolean isUnset(ConfigEntry entry, String declared) {
        return KEYS.contains(entry.name())
                && !declared.equals(entry.value())
                && switch (entry.source()) {
                    case DEFAULT_CONFIG, STATIC_BROKER_CONFIG, DYNAMIC_BROKER_CONFIG, DYNAMIC_DEFAULT_BROKER_CONFIG ->
                        true;
                    default -> false;
                };
    }

    /** Sets those of one topic, if it exists. Failures are logged only, since services work without. */
    public static void set(KafkaSettings kafka, String topic, Map<String, String> declared) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            if (!admin.listTopics()
                    .names()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .contains(topic)) {
                return;
            }
            Config config = admin.describeConfigs(Set.of(resource(topic)))
                    .all()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .get(resource(topic));
            Map<String, String> unset = declared.entrySet().stream()
                    .filter(e -> config != null
                            && config.get(e.getKey()) != null
                            && isUnset(config.get(e.getKey()), e.getValue()))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            if (!unset.isEmpty()) {
                set(admin, Map.of(topic, unset));
            }
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.warn("settings of a topic not compared topic={} error={}", topic, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @param unset settings by topic and name */
    static void set(Admin admin, Map<String, Map<String, String>> unset) {
        if (unset.isEmpty()) {
            return;
        }
        Map<ConfigResource, Collection<AlterConfigOp>> changes = unset.entrySet().stream()
                .collect(Collectors.toMap(topic -> resource(topic.getKey()), topic -> changes(topic.getValue())));
        admin.incrementalAlterConfigs(changes).values().forEach((topic, changed) -> {
            Map<String, String> settings = unset.getOrDefault(topic.name(), Map.of());
            try {
                changed.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                LOG.info("settings of a topic set, nobody had set them topic={} settings={}", topic.name(), settings);
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn(
                        "settings of a topic not set, somebody with the right to alter it should set them with"
                                + " kafka-configs.sh topic={} settings={} error={}",
                        topic.name(),
                        settings,
                        e.getCause() == null ? e.toString() : e.getCause().toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException("interrupted", e);
            }
        });
    }

    private static List<AlterConfigOp> changes(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(e -> new AlterConfigOp(new ConfigEntry(e.getKey(), e.getValue()), AlterConfigOp.OpType.SET))
                .toList();
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }
}
