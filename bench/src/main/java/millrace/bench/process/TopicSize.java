package millrace.bench.process;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * The size of a topic.
 *
 * @param offsets of all partitions; markers of transactions have one, too
 * @param bytes on the disks of all brokers
 */
public record TopicSize(long offsets, long bytes) {
    /** By name, also of Kafka's own topics. */
    public static Map<String, TopicSize> all(Admin admin) throws InterruptedException {
        Set<Integer> brokers = BenchKafka.get(admin.describeCluster().nodes()).stream()
                .map(Node::id)
                .collect(Collectors.toSet());
        Map<TopicPartition, Long> bytes = new HashMap<>();
        BenchKafka.get(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
                .flatMap(disks -> disks.values().stream())
                .forEach(disk -> disk.replicaInfos()
                        .forEach((partition, replica) -> bytes.merge(partition, replica.size(), Long::sum)));
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        bytes.keySet().forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        Map<String, TopicSize> topics = new TreeMap<>();
        BenchKafka.get(admin.listOffsets(latest).all()).forEach((partition, end) -> {
            var size = new TopicSize(end.offset(), bytes.getOrDefault(partition, 0L));
            topics.merge(partition.topic(), size, TopicSize::plus);
        });
        return topics;
    }

    public TopicSize plus(TopicSize more) {
        return new TopicSize(offsets + more.offsets, bytes + more.bytes);
    }

    public TopicSize minus(TopicSize before) {
        return new TopicSize(offsets - before.offsets, bytes - before.bytes);
    }
}
