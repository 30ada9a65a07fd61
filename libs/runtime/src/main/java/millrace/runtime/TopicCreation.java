package millrace.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import millrace.contracts.Leaders;
import millrace.contracts.Topic;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
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

/** Makes the topics that are missing as they are declared, reports those that differ, and waits until all can be used. */
public final class TopicCreation {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCreation.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TopicCreation() {}

    /**
     * Several services may do this at once.
     *
     * @return a sentence for each difference between an existing topic and its declaration; also logged
     * @throws SettingsException where Kafka cannot be reached or refuses
     */
    public static List<String> ensure(KafkaSettings kafka, Collection<Topic<?>> topics) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            Set<String> existing = get(admin.listTopics().names());
            List<Topic<?>> missing =
                    topics.stream().filter(t -> !existing.contains(t.name())).toList();
            if (!missing.isEmpty()) {
                create(admin, kafka, missing);
            }
            List<Topic<?>> old =
                    topics.stream().filter(t -> existing.contains(t.name())).toList();
            Map<String, TopicDescription> found = get(
                    admin.describeTopics(old.stream().map(Topic::name).toList()).allTopicNames());
            List<String> differences = differences(admin, kafka, old, found);
            differences.forEach(d -> LOG.warn("{}", d));
            awaitLeaders(admin, kafka, topics, found);
            return differences;
        } catch (KafkaException | TimeoutException e) {
            throw new SettingsException("Kafka at " + kafka.bootstrapServers() + " cannot be used: " + e.getMessage());
        }
    }

    /** In one request, since each takes the controller some 40 ms. */
    private static void create(Admin admin, KafkaSettings kafka, List<Topic<?>> topics) throws TimeoutException {
        List<NewTopic> declared = topics.stream()
                .map(t -> new NewTopic(t.name(), kafka.partitions(), (short) kafka.replication()).configs(t.config()))
                .toList();
        for (var created : admin.createTopics(declared).values().entrySet()) {
            try {
                get(created.getValue());
                LOG.info("created topic {} with {} partitions", created.getKey(), kafka.partitions());
            } catch (TopicExistsException e) {
                LOG.debug("another service created topic {} meanwhile", created.getKey());
            }
        }
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
        ask(() -> {
            Leaders.await(admin, ends, PATIENCE);
            return ends;
        });
    }

    private static List<String> differences(
            Admin admin, KafkaSettings kafka, List<Topic<?>> topics, Map<String, TopicDescription> descriptions)
            throws TimeoutException {
        List<String> differences = new ArrayList<>();
        Map<ConfigResource, Config> configs = get(admin.describeConfigs(
                        topics.stream().map(TopicCreation::resource).collect(Collectors.toSet()))
                .all());
        for (Topic<?> topic : topics) {
            TopicDescription description = descriptions.get(topic.name());
            if (description != null && description.partitions().size() != kafka.partitions()) {
                differences.add("topic " + topic.name() + " has "
                        + description.partitions().size() + " partitions, declared are " + kafka.partitions());
            }
            Config config = configs.get(resource(topic));
            topic.config().forEach((key, declared) -> {
                ConfigEntry entry = config == null ? null : config.get(key);
                if (entry != null && !declared.equals(entry.value())) {
                    differences.add("topic " + topic.name() + " has " + key + "=" + entry.value() + ", declared is "
                            + declared);
                }
            });
        }
        return differences;
    }

    private static ConfigResource resource(Topic<?> topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    }

    private static <T> T get(KafkaFuture<T> future) throws TimeoutException {
        return ask(() -> future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    }

    private interface Question<T> {
        T answer() throws InterruptedException, ExecutionException, TimeoutException;
    }

    private static <T> T ask(Question<T> question) throws TimeoutException {
        try {
            return question.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        } catch (TimeoutException e) {
            var told = new TimeoutException("no answer within " + PATIENCE.toSeconds()
                    + " s; are its brokers there, and does every partition have a leader?");
            told.initCause(e);
            throw told;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        }
    }
}
