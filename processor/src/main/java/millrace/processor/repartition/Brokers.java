package millrace.processor.repartition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.topics.PartitionLeaders;
import millrace.runtime.KafkaFutures;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Makes, deletes and sets topics. */
final class Brokers implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final String FOR_EVER = Long.toString(Long.MAX_VALUE);

    /**
     * Keeps each record of a topic: nothing expires and nothing is compacted while it is copied, nor in the copy until
     * it has been read again.
     */
    private static final Map<String, String> KEPT = Map.of(
            TopicConfig.RETENTION_MS_CONFIG,
            "-1",
            TopicConfig.RETENTION_BYTES_CONFIG,
            "-1",
            TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
            FOR_EVER,
            TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
            FOR_EVER);

    /** Takes each record with the time that it has. */
    private static final Map<String, String> ANY_TIME = Map.of(
            TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime",
            TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, FOR_EVER,
            TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, FOR_EVER);

    /** A compacted topic would get a segment for each day of which it has records. */
    private static final Map<String, String> FEW_SEGMENTS = Map.of(TopicConfig.SEGMENT_MS_CONFIG, FOR_EVER);

    private final Admin admin;

    Brokers(KafkaSettings kafka) {
        this.admin = Admin.create(kafka.clientConfig());
    }

    Admin admin() {
        return admin;
    }

    /** Those that exist. A broker may still list one that another one has deleted. */
    Map<String, TopicDescription> describe(Collection<String> topics) {
        Map<String, TopicDescription> existing = new TreeMap<>();
        admin.describeTopics(topics).topicNameValues().forEach((name, described) -> {
            try {
                existing.put(name, KafkaFutures.get(described));
            } catch (UnknownTopicOrPartitionException e) {
                existing.remove(name);
            }
        });
        return existing;
    }

    /** What is set on the topic itself. */
    Map<String, String> config(String topic) {
        Map<String, String> own = new TreeMap<>();
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Objects.requireNonNull(KafkaFutures.get(
                                admin.describeConfigs(List.of(resource)).all())
                        .get(resource))
                .entries()
                .forEach(entry -> {
                    if (entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG) {
                        own.put(entry.name(), entry.value());
                    }
                });
        return own;
    }

    /** Sets that nothing of the topic expires or is compacted. */
    void keepAll(String topic) {
        alter(topic, KEPT, Set.of());
    }

    /** Sets on the topic what was set on it before, and takes back what was set to copy it. */
    void restoreConfig(String topic, Map<String, String> config) {
        Map<String, String> set = new HashMap<>(config);
        set.keySet().retainAll(ours());
        Set<String> reset = ours();
        reset.removeAll(config.keySet());
        alter(topic, set, reset);
    }

    private static Set<String> ours() {
        return Stream.of(KEPT, ANY_TIME, FEW_SEGMENTS)
                .flatMap(settings -> settings.keySet().stream())
                .collect(Collectors.toSet());
    }

    private void alter(String topic, Map<String, String> set, Set<String> reset) {
        List<AlterConfigOp> changes = new ArrayList<>();
        set.forEach((key, value) -> changes.add(new AlterConfigOp(new ConfigEntry(key, value), OpType.SET)));
        reset.forEach(key -> changes.add(new AlterConfigOp(new ConfigEntry(key, null), OpType.DELETE)));
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        KafkaFutures.get(
                admin.incrementalAlterConfigs(Map.of(resource, changes)).all());
    }

    /**
     * Makes an empty topic that keeps all; one of that name is deleted.
     *
     * @throws RepartitionException if somebody else makes a topic of that name each time
     */
    void makeAnew(String topic, int partitions, int replication, Map<String, String> config) {
        Map<String, String> keeping = new HashMap<>(config);
        keeping.putAll(KEPT);
        keeping.putAll(ANY_TIME);
        if (config.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "").contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            keeping.putAll(FEW_SEGMENTS);
        }
        make(new NewTopic(topic, partitions, (short) replication).configs(keeping));
    }

    void make(NewTopic topic) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            delete(List.of(topic.name()));
            try {
                KafkaFutures.get(admin.createTopics(List.of(topic)).all());
                awaitLeaders(topic.name(), topic.numPartitions());
                return;
            } catch (TopicExistsException e) {
                if (System.nanoTime() > end) {
                    throw new RepartitionException(
                            "topic " + topic.name() + " is made again by somebody else as soon as it is deleted."
                                    + " Stop what reads it, or set auto.create.topics.enable=false on the brokers, and"
                                    + " run the command again.",
                            e);
                }
            }
        }
    }

    private void awaitLeaders(String topic, int partitions) {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(p -> new TopicPartition(topic, p), p -> OffsetSpec.latest()));
        try {
            PartitionLeaders.await(admin, ends, TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("topic " + topic + " was made and has no leaders: " + e, e);
        }
    }

    /** Deletes those that exist, and returns when they are gone. */
    void delete(Collection<String> topics) {
        Set<String> existing = describe(topics).keySet();
        if (existing.isEmpty()) {
            return;
        }
        KafkaFutures.get(admin.deleteTopics(existing).all());
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!describe(existing).isEmpty()) {
            if (System.nanoTime() > end) {
                throw new RepartitionException("the brokers do not delete " + String.join(", ", existing)
                        + "; is delete.topic.enable=true? Run the command again.");
            }
            pause();
        }
    }

    static void pause() {
        try {
            Thread.sleep(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /** The ends of all partitions, in their order. */
    List<Long> ends(String topic, int partitions, IsolationLevel isolation) {
        return offsets(topic, partitions, OffsetSpec.latest(), isolation);
    }

    List<Long> beginnings(String topic, int partitions) {
        return offsets(topic, partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    private List<Long> offsets(String topic, int partitions, OffsetSpec spec, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> asked = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(p -> new TopicPartition(topic, p), p -> spec));
        var found = KafkaFutures.get(
                admin.listOffsets(asked, new ListOffsetsOptions(isolation)).all());
        return IntStream.range(0, partitions)
                .mapToObj(p -> Objects.requireNonNull(found.get(new TopicPartition(topic, p)))
                        .offset())
                .toList();
    }

    /** The bytes of topics on the disks of all brokers together. */
    long bytes(Collection<String> topics) {
        List<Integer> brokers = KafkaFutures.get(admin.describeCluster().nodes()).stream()
                .map(node -> node.id())
                .toList();
        return KafkaFutures.get(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
                .flatMap(folders -> folders.values().stream())
                .map(LogDirDescription::replicaInfos)
                .flatMap(replicas -> replicas.entrySet().stream())
                .filter(replica -> topics.contains(replica.getKey().topic()))
                .mapToLong(replica -> replica.getValue().size())
                .sum();
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
    }
}
