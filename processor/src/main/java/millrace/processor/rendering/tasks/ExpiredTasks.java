package millrace.processor.rendering.tasks;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.KafkaFutures;
import millrace.runtime.kafka.ExpiredOffsetsCheck;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skips old tasks where no worker ran for so long that Kafka deleted the committed offsets. Most of these tasks are
 * done; the ledger counts the others as lost and hands them out again.
 */
public final class ExpiredTasks {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiredTasks.class);

    private ExpiredTasks() {}

    /**
     * Sets the offsets of worker groups that have none. To be called before a worker joins.
     *
     * @param lost tasks that were handed out before this time count as lost
     * @throws SettingsException where Kafka is unavailable
     */
    public static void skip(KafkaSettings kafka, Instant lost) {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            skip(admin, kafka, ConsumerGroups.RENDERERS, Topics.SLICES, lost);
            skip(admin, kafka, ConsumerGroups.SMALL_RENDERERS, Topics.SMALL_REPORTS, lost);
        } catch (KafkaException e) {
            throw new SettingsException("Kafka cannot say how far the render workers had come: " + e.getMessage());
        }
    }

    private static void skip(Admin admin, KafkaSettings kafka, String group, Topic<?> topic, Instant lost) {
        Map<TopicPartition, Long> beginnings = offsets(admin, kafka, topic, OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = offsets(admin, kafka, topic, OffsetSpec.latest());
        Map<TopicPartition, OffsetAndMetadata> begin = new HashMap<>();
        offsets(admin, kafka, topic, OffsetSpec.forTimestamp(lost.toEpochMilli()))
                .forEach((partition, newer) -> {
                    long end = ends.getOrDefault(partition, 0L);
                    long first = newer < 0 ? end : newer; // negative where no record is as new
                    if (first > beginnings.getOrDefault(partition, 0L)) {
                        begin.put(partition, new OffsetAndMetadata(first));
                    }
                });
        if (begin.isEmpty() || ExpiredOffsetsCheck.has(admin, group)) {
            return;
        }
        try {
            KafkaFutures.get(admin.alterConsumerGroupOffsets(group, begin).all());
            LOG.warn(
                    "group without committed offsets, older tasks skipped group={} since={} offsets={}",
                    group,
                    lost,
                    begin);
        } catch (UnknownMemberIdException e) {
            LOG.debug("group has members meanwhile, no task skipped group={}", group);
        }
    }

    private static Map<TopicPartition, Long> offsets(
            Admin admin, KafkaSettings kafka, Topic<?> topic, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        topic.ends(kafka.partitions()).keySet().forEach(partition -> wanted.put(partition, spec));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        KafkaFutures.get(admin.listOffsets(wanted).all())
                .forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }
}
