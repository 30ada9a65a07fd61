package millrace.simulation.kafka.consumer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;

/** Overloads of {@link Consumer}'s methods, and methods that are not supported because services do not use them. */
interface ConsumerMethods extends Consumer<String, byte[]> {
    /** The value of {@code default.api.timeout.ms}. */
    Duration defaultTimeout();

    @Override
    default void subscribe(Collection<String> topics) {
        subscribe(topics, null);
    }

    @Override
    void subscribe(Collection<String> topics, @Nullable ConsumerRebalanceListener listener);

    @Override
    default void commitSync(Duration timeout) {
        throw unused("commitSync");
    }

    @Override
    default void commitSync() {
        throw unused("commitSync");
    }

    @Override
    default void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
        commitSync(offsets, defaultTimeout());
    }

    @Override
    default void commitAsync() {
        throw unused("commitAsync");
    }

    @Override
    default void commitAsync(OffsetCommitCallback callback) {
        throw unused("commitAsync");
    }

    @Override
    default Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        return committed(partitions, defaultTimeout());
    }

    @Override
    default long position(TopicPartition partition) {
        return position(partition, defaultTimeout());
    }

    @Override
    default List<PartitionInfo> partitionsFor(String topic) {
        return partitionsFor(topic, defaultTimeout());
    }

    @Override
    default Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
        return beginningOffsets(partitions, defaultTimeout());
    }

    @Override
    default Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
        return endOffsets(partitions, defaultTimeout());
    }

    @Override
    default void seek(TopicPartition partition, OffsetAndMetadata offset) {
        seek(partition, offset.offset());
    }

    @Override
    default void enforceRebalance() {
        enforceRebalance("");
    }

    @Override
    default void close() {
        close(Duration.ofSeconds(30));
    }

    @Override
    @SuppressWarnings("deprecation") // of the interface
    default void close(Duration timeout) {
        close(CloseOptions.timeout(timeout));
    }

    @Override
    default Map<MetricName, ? extends Metric> metrics() {
        return Map.of();
    }

    @Override
    default void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
        throw unused("subscribe");
    }

    @Override
    default void subscribe(Pattern pattern) {
        throw unused("subscribe");
    }

    @Override
    default void subscribe(SubscriptionPattern pattern, ConsumerRebalanceListener listener) {
        throw unused("subscribe");
    }

    @Override
    default void subscribe(SubscriptionPattern pattern) {
        throw unused("subscribe");
    }

    @Override
    default void registerMetricForSubscription(KafkaMetric metric) {
        throw unused("registerMetricForSubscription");
    }

    @Override
    default void unregisterMetricFromSubscription(KafkaMetric metric) {
        throw unused("unregisterMetricFromSubscription");
    }

    @Override
    default Uuid clientInstanceId(Duration timeout) {
        throw unused("clientInstanceId");
    }

    @Override
    default Map<String, List<PartitionInfo>> listTopics() {
        throw unused("listTopics");
    }

    @Override
    default Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
        throw unused("listTopics");
    }

    @Override
    default Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
        throw unused("offsetsForTimes");
    }

    @Override
    default Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times, Duration timeout) {
        throw unused("offsetsForTimes");
    }

    private static UnsupportedOperationException unused(String method) {
        return new UnsupportedOperationException(method + " is not simulated");
    }
}
