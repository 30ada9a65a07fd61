package millrace.processor.repartition;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import millrace.contracts.topics.ConsumerGroups;
import millrace.runtime.KafkaFutures;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The consumer groups: who is in them, and what they have committed. */
final class Groups {
    /** Millrace's own. */
    static final Set<String> OWN = Set.of(
            ConsumerGroups.PROCESSOR,
            ConsumerGroups.RENDERERS,
            ConsumerGroups.SMALL_RENDERERS,
            ConsumerGroups.FILE_DELETERS,
            ConsumerGroups.NOTIFIERS,
            ConsumerGroups.ANNOUNCERS);

    private static final Duration FORGETTING = Duration.ofSeconds(10);

    private final Admin admin;

    Groups(Admin admin) {
        this.admin = admin;
    }

    /** What each group has committed in these topics: by topic, group and partition. */
    Map<String, Map<String, Map<Integer, Commit>>> committed(Collection<String> topics) {
        Map<String, Map<String, Map<Integer, Commit>>> all = new HashMap<>();
        for (String group : names()) {
            committed(group).forEach((partition, offset) -> {
                if (topics.contains(partition.topic())) {
                    all.computeIfAbsent(partition.topic(), t -> new TreeMap<>())
                            .computeIfAbsent(group, g -> new TreeMap<>())
                            .put(partition.partition(), new Commit(offset.offset(), offset.metadata()));
                }
            });
        }
        return all;
    }

    private Set<String> names() {
        return KafkaFutures.get(
                        admin.listGroups(ListGroupsOptions.forConsumerGroups()).all())
                .stream()
                .map(GroupListing::groupId)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Waits for transactions that commit offsets. */
    private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        var stable = new ListConsumerGroupOffsetsOptions().requireStable(true);
        Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
        KafkaFutures.get(admin.listConsumerGroupOffsets(group, stable).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        found.put(partition, offset);
                    }
                });
        return found;
    }

    /** The members of those groups that have some: their client ids and hosts. */
    Map<String, List<String>> members(Collection<String> groups) {
        Set<String> known = names();
        known.retainAll(Set.copyOf(groups));
        Map<String, List<String>> members = new TreeMap<>();
        KafkaFutures.get(admin.describeConsumerGroups(known).all()).forEach((group, description) -> {
            List<String> names = description.members().stream()
                    .map(member -> member.clientId() + " on " + member.host().replace("/", ""))
                    .sorted()
                    .distinct()
                    .toList();
            if (!names.isEmpty()) {
                members.put(group, names);
            }
        });
        return members;
    }

    /**
     * Commits offsets of a group, once the broker has forgotten those in the deleted topics of these names, which it
     * does a moment after it has deleted them.
     */
    void commit(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        long end = System.nanoTime() + FORGETTING.toNanos();
        while (System.nanoTime() < end && !isFree(committed(group), offsets)) {
            Brokers.pause();
        }
        KafkaFutures.get(admin.alterConsumerGroupOffsets(group, offsets).all());
    }

    private static boolean isFree(
            Map<TopicPartition, OffsetAndMetadata> now, Map<TopicPartition, OffsetAndMetadata> wanted) {
        return wanted.entrySet().stream().allMatch(offset -> {
            OffsetAndMetadata there = now.get(offset.getKey());
            return there == null || there.offset() == offset.getValue().offset();
        });
    }
}
