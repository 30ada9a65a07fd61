package millrace.processor.rendering;

import java.time.Duration;
import java.util.Map;
import millrace.runtime.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How tasks are consumed. */
final class TaskConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(TaskConsumer.class);

    /**
     * How far back a group begins that has no offset: because it is new, or because it stood still for so long that Kafka has forgotten
     * it. What waited for longer has been handed out again by the ledger, or given up.
     */
    private static final Duration WITHOUT_OFFSET = Duration.ofDays(1);

    private TaskConsumer() {}

    static KafkaConsumer<String, byte[]> create(KafkaSettings kafka, String group, String name) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-" + name);
        // A restarted process takes its old place without a rebalance; one that dies is missed after the session
        // timeout.
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, kafka.instanceId() + "-" + name);
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6000);
        config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 300);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "by_duration:" + WITHOUT_OFFSET);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 32);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 * 1024 * 1024);
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** Nothing when woken up. */
    static ConsumerRecords<String, byte[]> poll(KafkaConsumer<String, byte[]> consumer, Duration patience) {
        try {
            return consumer.poll(patience);
        } catch (WakeupException e) {
            return ConsumerRecords.empty();
        }
    }

    /** Leaves the group, so that the others take its tasks at once, and not when its session has ended. */
    static void close(KafkaConsumer<String, byte[]> consumer) {
        try {
            consumer.close(CloseOptions.timeout(Duration.ofMillis(500))
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        } catch (KafkaException e) {
            LOG.debug("a consumer did not close cleanly", e);
        }
    }

    /** Waits for the commit, also when woken up meanwhile. */
    static void commit(KafkaConsumer<String, byte[]> consumer, Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, Duration.ofSeconds(10));
        } catch (WakeupException e) {
            consumer.commitSync(offsets, Duration.ofSeconds(1));
        }
    }
}
