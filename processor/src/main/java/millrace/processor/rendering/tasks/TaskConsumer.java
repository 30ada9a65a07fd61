package millrace.processor.rendering.tasks;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumes the tasks of one lane. Not thread-safe, except for {@link #wakeup} and {@link #metrics}. */
final class TaskConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(TaskConsumer.class);

    private final Consumer<String, byte[]> consumer;
    private boolean paused;

    TaskConsumer(KafkaClientFactory clients, KafkaSettings kafka, String group, String name) {
        this.consumer = clients.consumer(config(kafka, group, kafka.instanceId() + "-" + name));
    }

    private static Map<String, Object> config(KafkaSettings kafka, String group, String member) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, member);
        // A restarted process gets its partitions back without a rebalance; those of a dead process are assigned to
        // others after the session timeout.
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, member);
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6000);
        config.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 300);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 32);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 * 1024 * 1024);
        return config;
    }

    void subscribe(String topic, ConsumerRebalanceListener listener) {
        consumer.subscribe(List.of(topic), listener);
    }

    /** Polls; returns no records after {@link #wakeup}. */
    ConsumerRecords<String, byte[]> poll(Duration timeout) {
        try {
            return consumer.poll(timeout);
        } catch (WakeupException e) {
            return ConsumerRecords.empty();
        }
    }

    /** Makes {@link #poll} return. Thread-safe. */
    void wakeup() {
        consumer.wakeup();
    }

    /** Pauses or resumes fetching. */
    void fetch(boolean on) {
        if (!on) {
            consumer.pause(consumer.assignment()); // also those that came since
            paused = true;
        } else if (paused) {
            consumer.resume(consumer.paused());
            paused = false;
        }
    }

    Map<TopicPartition, OffsetAndMetadata> committed(Collection<TopicPartition> partitions) {
        return consumer.committed(new HashSet<>(partitions));
    }

    /** The offset of the next record. */
    long position(TopicPartition partition) {
        return consumer.position(partition);
    }

    /** Commits and waits for the result, also after a {@link #wakeup}. */
    void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, Duration.ofSeconds(10));
        } catch (WakeupException e) {
            consumer.commitSync(offsets, Duration.ofSeconds(1));
        }
    }

    void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        consumer.commitAsync(offsets, callback);
    }

    /** The metrics of the consumer. Thread-safe. */
    Map<MetricName, ? extends Metric> metrics() {
        return consumer.metrics();
    }

    /** Leaves the group, so that others get its partitions at once and not after the session timeout. */
    void close() {
        try {
            consumer.close(CloseOptions.timeout(Duration.ofMillis(500))
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        } catch (KafkaException e) {
            LOG.debug("closing a consumer failed", e);
        }
    }
}
