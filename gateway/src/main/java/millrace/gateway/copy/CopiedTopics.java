package millrace.gateway.copy;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.contracts.topics.Topic;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.KafkaFutures;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Topics that a database is a copy of, as Kafka has them at the moment.
 *
 * @param identity of the cluster and the topics: others of the same names have another one, and the same with more
 *     partitions
 * @param first the first offset of each partition
 * @param ends the offset after the last record
 * @param epochs the newest leader epoch of each partition
 */
public record CopiedTopics(
        String identity,
        Map<TopicPartition, Long> first,
        Map<TopicPartition, Long> ends,
        Map<TopicPartition, Integer> epochs) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /**
     * Asks Kafka.
     *
     * @param first of all partitions that are read; those of other topics are left out, as of {@code ends}
     * @throws KafkaException where it does not answer
     */
    static CopiedTopics ask(
            Admin admin, List<Topic<?>> topics, Map<TopicPartition, Long> first, Map<TopicPartition, Long> ends) {
        var cluster = admin.describeCluster().clusterId();
        var described =
                admin.describeTopics(topics.stream().map(Topic::name).toList()).allTopicNames();
        var identities = new TreeMap<String, String>();
        get(described)
                .forEach((name, topic) -> identities.put(
                        name, topic.topicId() + "/" + topic.partitions().size()));
        Map<TopicPartition, Long> begin = copied(topics, first);
        Map<TopicPartition, OffsetSpec> latest = begin.keySet().stream()
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        Map<TopicPartition, Integer> epochs = new HashMap<>();
        get(admin.listOffsets(latest).all())
                .forEach((partition, end) -> end.leaderEpoch().ifPresent(epoch -> epochs.put(partition, epoch)));
        return new CopiedTopics(get(cluster) + identities, begin, copied(topics, ends), epochs);
    }

    /**
     * Waits for an answer of Kafka, for 10 s.
     *
     * @throws KafkaException where there is none
     */
    public static <T> T get(KafkaFuture<T> answer) {
        return KafkaFutures.get(answer, TIMEOUT);
    }

    /**
     * Where a store goes on.
     *
     * @param positions up to where the rows are made of each partition; those of which nothing was read are missing
     * @param rebuilt why the rows are made again from the beginning of the topics, or null
     */
    public record Opened(
            Map<TopicPartition, OffsetAndMetadata> positions,
            @Nullable String rebuilt) {}

    /**
     * Opens a store that is a copy of these topics, and empties it if it does not fit them.
     *
     * @param form of the rows
     * @param positions reads the positions of the store
     * @param fit what else decides
     * @throws StoreException if it cannot be opened
     * @throws IOException if rows that do not fit cannot be deleted
     */
    public Opened open(
            LocalStore store,
            int form,
            Function<LocalDatabase, Map<TopicPartition, OffsetAndMetadata>> positions,
            LocalStore.Fit fit)
            throws IOException {
        String rebuilt = store.open(new LocalStore.Identity(form, identity), database -> {
            String unfit = unfit(positions.apply(database));
            return unfit == null ? fit.unfit(database) : unfit;
        });
        return new Opened(store.use(positions), rebuilt);
    }

    /** Whether the partition is one of these topics. */
    public static boolean isCopied(List<Topic<?>> topics, TopicPartition partition) {
        return topics.stream().anyMatch(topic -> topic.name().equals(partition.topic()));
    }

    private static Map<TopicPartition, Long> copied(List<Topic<?>> topics, Map<TopicPartition, Long> all) {
        Map<TopicPartition, Long> copied = new HashMap<>(all);
        copied.keySet().removeIf(partition -> !isCopied(topics, partition));
        return copied;
    }

    /**
     * Why a copy cannot be gone on from, or null. Whether the log has diverged, the consumer tells later.
     *
     * @param read where the copy ends
     */
    private @Nullable String unfit(Map<TopicPartition, OffsetAndMetadata> read) {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> partition : read.entrySet()) {
            long next = partition.getValue().offset();
            long begin = first.getOrDefault(partition.getKey(), 0L);
            long end = ends.getOrDefault(partition.getKey(), 0L);
            if (next < begin || next > end) {
                return partition.getKey() + " was read up to offset " + next + ", and has " + begin + " to " + end;
            }
            int epoch = partition.getValue().leaderEpoch().orElse(ReadOffsets.NO_EPOCH);
            int newest = epochs.getOrDefault(partition.getKey(), epoch);
            if (epoch > newest) { // the consumer would wait for a leader of that epoch
                return partition.getKey() + " was read in leader epoch " + epoch + ", and its newest is " + newest;
            }
        }
        return null;
    }
}
