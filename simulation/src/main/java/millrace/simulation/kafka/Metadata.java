package millrace.simulation.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import millrace.simulation.broker.Logs;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;

/** What clients are told about topics. */
final class Metadata {
    static final Node NODE = new Node(1, "simulated", 9092);
    private static final Node[] REPLICAS = {NODE};

    private Metadata() {}

    static List<PartitionInfo> partitions(Logs logs, String topic) {
        return IntStream.range(0, logs.partitions(topic))
                .mapToObj(i -> new PartitionInfo(topic, i, NODE, REPLICAS, REPLICAS))
                .toList();
    }

    /** The topics of these subscriptions. */
    static Cluster cluster(Logs logs, Collection<Subscription> subscriptions) {
        Set<String> topics = new TreeSet<>();
        subscriptions.forEach(subscription -> topics.addAll(subscription.topics()));
        List<PartitionInfo> partitions = new ArrayList<>();
        topics.forEach(topic -> partitions.addAll(partitions(logs, topic)));
        return new Cluster("simulated", List.of(NODE), partitions, Set.of(), Set.of());
    }
}
