package millrace.processor.ledger.streams;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Refuses to start where commands were decided but the state is missing. Kafka Streams does not check this: it would
 * continue after the last decided command, without accounts and reports.
 */
final class LostStateCheck {
    /** The changelog topic of the ledger's store. */
    static final String TOPIC = Topics.LEDGER_CHANGELOG;

    private LostStateCheck() {}

    /**
     * What the changelog is.
     *
     * @param id of the topic; empty where it does not exist yet
     * @param changed whether the number of partitions was ever changed
     */
    record Changelog(Optional<String> id, boolean changed) {}

    /**
     * Checks the changelog topic. The local state may be missing, or be all that is left, so it does not count.
     *
     * @throws SettingsException where commands were decided, but the state is missing; the message says what to do
     */
    static Changelog check(KafkaSettings kafka) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            // Offsets are read before the changelog, so that an offset that is found has its state in the changelog
            // already.
            Set<Integer> decided = decided(admin);
            decided.removeAll(withRecords(admin, TOPIC, decided));
            // Builds before v0.2.0 wrote no state for invalid commands. Where they wrote state, there are records of
            // accounts.
            Set<Integer> lost = withRecords(admin, Topics.ACCOUNT_STATE.name(), decided);
            if (!lost.isEmpty()) {
                throw new SettingsException("The ledger's state is not in Kafka: topic " + TOPIC
                        + " is missing or empty in partitions " + lost
                        + ", where commands have been decided. The topic was deleted, not restored with the others, or a build"
                        + " that is too old has kept the state elsewhere. Nothing was changed. Restore all topics of one moment,"
                        + " or go on with the earlier build; to begin anew, take an empty Kafka.");
            }
            Map<String, TopicListing> topics =
                    admin.listTopics().namesToListings().get();
            return new Changelog(
                    Optional.ofNullable(topics.get(TOPIC))
                            .map(topic -> topic.topicId().toString()),
                    topics.containsKey(Topics.REPARTITION));
        } catch (ExecutionException e) {
            throw new SettingsException("Kafka does not tell whether the ledger's state is there: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /** The ends of the changelog, by partition; empty where there is none. */
    static Map<Integer, Long> ends(KafkaSettings kafka) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            if (!admin.listTopics().names().get().contains(TOPIC)) {
                return Map.of();
            }
            Set<Integer> partitions = admin.describeTopics(List.of(TOPIC)).allTopicNames().get().values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .map(TopicPartitionInfo::partition)
                    .collect(Collectors.toSet());
            return offsets(admin, TOPIC, partitions, OffsetSpec.latest());
        } catch (ExecutionException e) {
            throw new SettingsException("Kafka does not tell how far the ledger's state goes: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /** The partitions in which commands have been decided. */
    static Set<Integer> decided(Admin admin) throws ExecutionException, InterruptedException {
        return admin
                .listConsumerGroupOffsets(ConsumerGroups.PROCESSOR)
                .partitionsToOffsetAndMetadata()
                .get()
                .keySet()
                .stream()
                .filter(partition -> partition.topic().equals(Topics.ACCOUNT_COMMANDS.name()))
                .map(TopicPartition::partition)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The partitions that have records. */
    static Set<Integer> withRecords(Admin admin, String topic, Set<Integer> partitions)
            throws ExecutionException, InterruptedException {
        if (partitions.isEmpty() || !admin.listTopics().names().get().contains(topic)) {
            return Set.of();
        }
        Map<Integer, Long> begins = offsets(admin, topic, partitions, OffsetSpec.earliest());
        Map<Integer, Long> ends = offsets(admin, topic, partitions, OffsetSpec.latest());
        return partitions.stream()
                .filter(p -> !Objects.equals(begins.get(p), ends.get(p)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<Integer, Long> offsets(Admin admin, String topic, Set<Integer> partitions, OffsetSpec spec)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked =
                partitions.stream().collect(Collectors.toMap(p -> new TopicPartition(topic, p), p -> spec));
        Map<Integer, Long> offsets = new HashMap<>();
        admin.listOffsets(asked).all().get().forEach((p, found) -> offsets.put(p.partition(), found.offset()));
        return offsets;
    }
}
