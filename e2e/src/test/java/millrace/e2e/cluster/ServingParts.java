package millrace.e2e.cluster;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;

/** Finds the parts that serve an account now, whose failure delays the account most. */
final class ServingParts {
    private static final String NOTIFIERS = "millrace-notifier";

    private final Cluster cluster;
    private final String account;

    ServingParts(Cluster cluster, String account) {
        this.cluster = cluster;
        this.account = account;
    }

    Cluster.Part of(Cluster.Role role) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            return switch (role) {
                case KAFKA -> new Cluster.Part(role, leader(admin, commands(admin)));
                case GATEWAY -> role.all().getFirst();
                case PROCESSOR -> owner(admin, role, ConsumerGroups.PROCESSOR, commands(admin));
                case NOTIFIER -> owner(admin, role, NOTIFIERS, busiest(admin, Topics.DELIVERIES));
            };
        }
    }

    /** The partition of the account's commands. */
    private TopicPartition commands(Admin admin) throws ExecutionException, InterruptedException {
        String topic = Topics.ACCOUNT_COMMANDS.name();
        return new TopicPartition(topic, Topic.partition(account, partitions(admin, topic)));
    }

    private static int leader(Admin admin, TopicPartition partition) throws ExecutionException, InterruptedException {
        var topics =
                admin.describeTopics(List.of(partition.topic())).allTopicNames().get();
        return Objects.requireNonNull(topics.get(partition.topic()))
                .partitions()
                .get(partition.partition())
                .leader()
                .id();
    }

    private static TopicPartition busiest(Admin admin, Topic<?> topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, ListOffsetsResultInfo> ends = admin.listOffsets(topic.ends(partitions(admin, topic.name())))
                .all()
                .get();
        return ends.entrySet().stream()
                .max(java.util.Comparator.comparingLong(end -> end.getValue().offset()))
                .orElseThrow()
                .getKey();
    }

    private static int partitions(Admin admin, String topic) throws ExecutionException, InterruptedException {
        return Objects.requireNonNull(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic))
                .partitions()
                .size();
    }

    private static Cluster.Part owner(Admin admin, Cluster.Role role, String group, TopicPartition partition)
            throws ExecutionException, InterruptedException {
        var members = Objects.requireNonNull(
                        admin.describeConsumerGroups(List.of(group)).all().get().get(group))
                .members();
        for (MemberDescription member : members) {
            for (Cluster.Part part : role.all()) {
                if (member.groupInstanceId().orElse("").contains(part.name())
                        && member.assignment().topicPartitions().contains(partition)) {
                    return part;
                }
            }
        }
        throw new IllegalStateException("nobody in " + group + " has " + partition + ": " + members);
    }
}
