package millrace.runtime.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import millrace.contracts.topics.PartitionLeaders;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.repartition.RepartitionLog;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates missing topics as they are declared, refuses or reports topics that differ from their
 * declaration, sets what older builds did not declare, and waits until all topics have leaders.
 */
public final class TopicCreation {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCreation.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** A broker needs some milliseconds to create the files of one. */
    private static final Duration TIMEOUT_OF_PARTITION = Duration.ofMillis(5);
    /** The controller refuses to write more than 10,000 records for one request. */
    private static final int PARTITIONS_AT_ONCE = 5_000;

    private TopicCreation() {}

    /**
     * Creates and checks the topics. Several services may call it at the same time.
     *
     * @return a sentence for each harmless difference between an existing topic and its
     *     declaration; also logged
     * @throws SettingsException where Kafka is unavailable or refuses, or a topic breaks what the
     *     services rely on; no topic is created then
     */
    public static List<String> ensure(KafkaSettings kafka, Collection<Topic<?>> topics) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            Set<String> existing = get(admin.listTopics().names());
            if (existing.contains(Topics.REPARTITION)) {
                RepartitionLog.refuseUnfinished(kafka);
            }
            Map<String, TopicDescription> found = get(admin.describeTopics(topics.stream()
                            .map(Topic::name)
                            .filter(existing::contains)
                            .toList())
                    .allTopicNames());
            List<Topic<?>> old =
                    topics.stream().filter(t -> found.containsKey(t.name())).toList();
            TopicDifferences differences = differences(admin, kafka, old, found);
            differences.refuse();
            differences.harmless().forEach(d -> LOG.warn("topic differs from its declaration difference=\"{}\"", d));
            UnsetTopicSettings.set(admin, differences.unset());
            OffsetRetentionCheck.problem(admin)
                    .ifPresent(p -> LOG.warn("offset retention too short problem=\"{}\"", p));
            List<Topic<?>> missing =
                    topics.stream().filter(t -> !existing.contains(t.name())).toList();
            if (!missing.isEmpty()) {
                create(admin, kafka, missing);
            }
            awaitLeaders(admin, kafka, topics, found);
            return differences.harmless();
        } catch (KafkaException | TimeoutException e) {
            throw new SettingsException("Kafka at " + kafka.bootstrapServers() + " cannot be used: " + e.getMessage());
        }
    }

    /** Creates as many as possible in one request, because each takes the controller some 40 ms. */
    private static void create(Admin admin, KafkaSettings kafka, List<Topic<?>> topics) throws TimeoutException {
        if (kafka.replication() == 1 && get(admin.describeCluster().nodes()).size() > 1) {
            LOG.warn("creating topics without replicas although there are several brokers kafka.replication=1");
        }
        int atOnce = Math.max(1, PARTITIONS_AT_ONCE / kafka.partitions());
        for (int from = 0; from < topics.size(); from += atOnce) {
            createAtOnce(admin, kafka, topics.subList(from, Math.min(topics.size(), from + atOnce)));
        }
    }

    private static void createAtOnce(Admin admin, KafkaSettings kafka, List<Topic<?>> topics) throws TimeoutException {
        List<NewTopic> declared =
                topics.stream().map(topic -> declared(topic, kafka)).toList();
        for (var created : admin.createTopics(declared).values().entrySet()) {
            try {
                get(created.getValue());
                LOG.info("topic created topic={} partitions={}", created.getKey(), kafka.partitions());
            } catch (TopicExistsException e) {
                LOG.debug("topic created by another service topic={}", created.getKey());
            }
        }
    }

    static NewTopic declared(Topic<?> topic, KafkaSettings kafka) {
        Map<String, String> config = new HashMap<>(topic.config());
        config.putAll(kafka.topicConfig());
        return new NewTopic(topic.name(), kafka.partitions(), (short) kafka.replication()).configs(config);
    }

    private static void awaitLeaders(
            Admin admin, KafkaSettings kafka, Collection<Topic<?>> topics, Map<String, TopicDescription> descriptions)
            throws TimeoutException {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (Topic<?> topic : topics) {
            TopicDescription description = descriptions.get(topic.name());
            ends.putAll(topic.ends(
                    description == null
                            ? kafka.partitions()
                            : description.partitions().size()));
        }
        call(() -> {
            PartitionLeaders.await(admin, ends, TIMEOUT.plus(TIMEOUT_OF_PARTITION.multipliedBy(ends.size())));
            return ends;
        });
    }

    private static TopicDifferences differences(
            Admin admin, KafkaSettings kafka, List<Topic<?>> topics, Map<String, TopicDescription> descriptions)
            throws TimeoutException {
        Map<ConfigResource, Config> configs = get(admin.describeConfigs(
                        topics.stream().map(TopicCreation::resource).collect(Collectors.toSet()))
                .all());
        var differences = new TopicDifferences(kafka);
        for (Topic<?> topic : topics) {
            TopicDescription description = Objects.requireNonNull(descriptions.get(topic.name()));
            Config config = Objects.requireNonNull(configs.get(resource(topic)));
            differences.add(topic, description, config);
        }
        return differences;
    }

    private static ConfigResource resource(Topic<?> topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    }

    private static <T> T get(KafkaFuture<T> future) throws TimeoutException {
        return call(() -> future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
    }

    private interface KafkaCall<T> {
        T call() throws InterruptedException, ExecutionException, TimeoutException;
    }

    private static <T> T call(KafkaCall<T> kafkaCall) throws TimeoutException {
        try {
            return kafkaCall.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        } catch (TimeoutException e) {
            var timeout = new TimeoutException("no answer within " + TIMEOUT.toSeconds()
                    + " s; are its brokers there, and does every partition have a leader?");
            timeout.initCause(e);
            throw timeout;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        }
    }
}
