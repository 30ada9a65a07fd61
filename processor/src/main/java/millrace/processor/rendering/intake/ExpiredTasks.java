package millrace.processor.rendering.intake;

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
 * Tasks of before a time in which no worker ran for so long that Kafka has forgotten how far they had come. Most of these tasks are
 * done. What is not, the ledger counts as lost and hands out again.
 */
public final class ExpiredTasks {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiredTasks.class);

    private ExpiredTasks() {}

    /**
     * Lets a group of workers that has no offsets begin with what is not lost. To be called before it is joined.
     *
     * @param lost what was handed out before then counts as lost
     * @throws SettingsException where Kafka cannot be asked
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
                    long first = newer < 0 ? end : newer; // where nothing is so new there is no such offset
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
                    "Kafka has forgotten how far {} had come, or it never ran: it goes on with what was handed out since {}, at {}",
                    group,
                    lost,
                    begin);
        } catch (UnknownMemberIdException e) {
            LOG.debug("{} has members, which have begun meanwhile", group);
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
