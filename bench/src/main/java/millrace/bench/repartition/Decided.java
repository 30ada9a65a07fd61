package millrace.bench.repartition;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Whether a group has read all of a topic. */
final class Decided {
    private Decided() {}

    static boolean all(Admin admin, String group, String topic) throws InterruptedException, ExecutionException {
        int partitions = admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .values()
                .iterator()
                .next()
                .partitions()
                .size();
        Map<TopicPartition, OffsetSpec> latest = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(p -> new TopicPartition(topic, p), p -> OffsetSpec.latest()));
        Map<TopicPartition, OffsetAndMetadata> read = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        return admin.listOffsets(latest).all().get().entrySet().stream().allMatch(end -> {
            OffsetAndMetadata offset = read.get(end.getKey());
            return end.getValue().offset() == 0
                    || (offset != null && offset.offset() >= end.getValue().offset());
        });
    }
}
