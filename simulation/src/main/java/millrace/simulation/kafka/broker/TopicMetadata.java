package millrace.simulation.kafka.broker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The metadata of topics that clients get. */
public final class TopicMetadata {
    public static final Node NODE = new Node(1, "simulated", 9092);
    public static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);
    private static final Node[] REPLICAS = {NODE};

    private TopicMetadata() {}

    public static List<PartitionInfo> partitions(PartitionLogs logs, String topic) {
        return IntStream.range(0, logs.partitions(topic))
                .mapToObj(i -> new PartitionInfo(topic, i, NODE, REPLICAS, REPLICAS))
                .toList();
    }

    /** Sorts partitions by topic and number. */
    public static SortedSet<TopicPartition> sorted(Collection<TopicPartition> partitions) {
        SortedSet<TopicPartition> sorted = new TreeSet<>(ORDER);
        sorted.addAll(partitions);
        return sorted;
    }

    /** The metadata of the topics of these subscriptions. */
    public static Cluster cluster(PartitionLogs logs, Collection<Subscription> subscriptions) {
        Set<String> topics = new TreeSet<>();
        subscriptions.forEach(subscription -> topics.addAll(subscription.topics()));
        List<PartitionInfo> partitions = new ArrayList<>();
        topics.forEach(topic -> partitions.addAll(partitions(logs, topic)));
        return new Cluster("simulated", List.of(NODE), partitions, Set.of(), Set.of());
    }
}
