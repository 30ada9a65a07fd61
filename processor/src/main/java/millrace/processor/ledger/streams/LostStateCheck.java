package millrace.processor.ledger.streams;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.store.LedgerStores;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Tells a ledger that has decided nothing yet from one whose state is gone. Kafka Streams does not: it would go on behind the last
 * command that was decided, with no account and no report.
 */
final class LostStateCheck {
    /** With all that was written to the ledger's store, from which it is restored. */
    static final String TOPIC = ConsumerGroups.PROCESSOR + "-" + LedgerStores.STORE + "-changelog";

    private LostStateCheck() {}

    /**
     * Looks at the topic of the state, and not at its copy in a local folder, which may be missing, or what is left.
     *
     * @throws SettingsException where there were commands, but their state is not there; says what to do
     */
    static void refuse(KafkaSettings kafka) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            // In this order: what is committed later than it was asked for has a state by the time that is asked for.
            Set<Integer> decided = decided(admin);
            decided.removeAll(withRecords(admin, TOPIC, decided));
            // Builds before v0.2.0 wrote nothing for commands that were none. Where they did write, accounts moved.
            Set<Integer> lost = withRecords(admin, Topics.ACCOUNT_STATE.name(), decided);
            if (!lost.isEmpty()) {
                throw new SettingsException("The ledger's state is not in Kafka: topic " + TOPIC
                        + " is missing or empty in partitions " + lost
                        + ", where commands have been decided. The topic was deleted, not restored with the others, or a build"
                        + " that is too old has kept the state elsewhere. Nothing was changed. Restore all topics of one moment,"
                        + " or go on with the earlier build; to begin anew, take an empty Kafka.");
            }
        } catch (ExecutionException e) {
            throw new SettingsException("Kafka does not tell whether the ledger's state is there: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /** Partitions in which commands have been decided. */
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

    /** Those of the partitions that hold something. */
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
