package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicDifferencesTest {
    private static final KafkaSettings THREE = new KafkaSettings("localhost:1", 4, 3, "test", Map.of());

    @Test
    void aTopicOfThreeReplicasAcknowledgesWithTwo() {
        assertThat(TopicCreation.declared(Topics.REPORT_STATUS, THREE).configs())
                .containsEntry("min.insync.replicas", "2")
                .containsEntry("cleanup.policy", "compact");
        assertThat(TopicCreation.declared(Topics.REPORT_STATUS, KafkaSettings.local("localhost:1", 4, "test"))
                        .configs())
                .doesNotContainKey("min.insync.replicas");
    }

    @Test
    void aTopicAsItIsDeclaredIsFine() {
        var differences = new TopicDifferences(THREE);
        Topics.ALL.forEach(topic -> differences.add(topic, described(topic, 4, 3), config(topic, Map.of())));
        differences.refuse();
        assertThat(differences.harmless()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "4, cleanup.policy, delete, 'topic report-status has cleanup.policy=delete, declared is compact'",
        "4, cleanup.policy, 'compact,delete', 'topic report-status has cleanup.policy=compact,delete, declared is compact'",
        "4, max.message.bytes, 1048588, 'topic report-status has max.message.bytes=1048588, declared is 2097152'",
        "3, max.message.bytes, 2097152, 'topic report-status has 3 partitions, and kafka.partitions is 4'"
    })
    void whatTheServicesRelyOnIsRefused(int partitions, String key, String value, String words) {
        var differences = new TopicDifferences(THREE);
        differences.add(
                Topics.REPORT_STATUS,
                described(Topics.REPORT_STATUS, partitions, 3),
                config(Topics.REPORT_STATUS, Map.of(key, value)));
        assertThatThrownBy(differences::refuse)
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(words);
    }

    @Test
    void theRestIsReported() {
        var differences = new TopicDifferences(THREE);
        differences.add(
                Topics.REPORT_EVENTS,
                described(Topics.REPORT_EVENTS, 4, 1),
                config(
                        Topics.REPORT_EVENTS,
                        Map.of("retention.ms", "1000", "max.message.bytes", "9999999", "min.insync.replicas", "1")));
        differences.refuse();
        assertThat(differences.harmless())
                .containsExactlyInAnyOrder(
                        "topic report-events has retention.ms=1000, declared is 2592000000",
                        "topic report-events has max.message.bytes=9999999, declared is 2097152",
                        "topic report-events has replication factor 1, and kafka.replication is 3",
                        "topic report-events has min.insync.replicas=1: what was acknowledged is lost with one broker;"
                                + " it should be 2");
    }

    /** Earlier builds did not declare them. What somebody has set on the topic stays, and is reported. */
    @ParameterizedTest
    @CsvSource({
        "segment.bytes, 1073741824, DEFAULT_CONFIG, 67108864",
        "delete.retention.ms, 86400000, STATIC_BROKER_CONFIG, 604800000",
        "segment.bytes, 67108864, DEFAULT_CONFIG,",
        "segment.bytes, 1073741824, DYNAMIC_TOPIC_CONFIG,",
        "message.timestamp.after.max.ms, 1, DEFAULT_CONFIG,"
    })
    void whatNobodyHasSetIsSet(String key, String value, ConfigEntry.ConfigSource source, @Nullable String declared) {
        var differences = new TopicDifferences(THREE);
        var entry = new ConfigEntry(key, value, source, false, false, List.of(), ConfigEntry.ConfigType.STRING, null);
        var own = new ConfigEntry("min.insync.replicas", "2");
        differences.add(Topics.REPORT_STATUS, described(Topics.REPORT_STATUS, 4, 3), new Config(List.of(entry, own)));
        differences.refuse();
        String name = Topics.REPORT_STATUS.name();
        if (declared != null) {
            assertThat(differences.unset()).isEqualTo(Map.of(name, Map.of(key, declared)));
            assertThat(differences.harmless()).isEmpty();
        } else {
            assertThat(differences.unset()).isEmpty();
            boolean asDeclared = value.equals(Topics.REPORT_STATUS.config().get(key));
            assertThat(differences.harmless()).hasSize(asDeclared ? 0 : 1);
        }
    }

    private static TopicDescription described(Topic<?> topic, int partitions, int replicas) {
        List<Node> nodes = IntStream.range(0, replicas)
                .mapToObj(i -> new Node(i, "host", 1))
                .toList();
        return new TopicDescription(
                topic.name(),
                false,
                IntStream.range(0, partitions)
                        .mapToObj(i -> new TopicPartitionInfo(i, nodes.getFirst(), nodes, nodes))
                        .toList());
    }

    private static Config config(Topic<?> topic, Map<String, String> changes) {
        Map<String, String> config = new HashMap<>(topic.config());
        config.put("min.insync.replicas", "2");
        config.putAll(changes);
        return new Config(config.entrySet().stream()
                .map(e -> new ConfigEntry(e.getKey(), e.getValue()))
                .toList());
    }
}
