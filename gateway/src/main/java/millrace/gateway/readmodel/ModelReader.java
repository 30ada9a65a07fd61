package millrace.gateway.readmodel;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.service.CatalogAgreement;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads the topics into the read model: every partition from its beginning, except the commands
 * that the processor had committed when reading began.
 */
public final class ModelReader implements AutoCloseable {
    private static final List<Topic<?>> TOPICS =
            List.of(Topics.ACCOUNT_STATE, Topics.REPORT_STATUS, Topics.REPORT_REQUESTS, Topics.ACCOUNT_COMMANDS);

    private final KafkaSettings kafka;
    private final String processorGroup;
    private final TopicTailer tailer;

    /**
     * @param processorGroup the consumer group whose committed offsets say which commands the
     *     processor has decided
     */
    public ModelReader(
            KafkaSettings kafka,
            String processorGroup,
            ReadModel model,
            AlreadyFoldedCommands alreadyFolded,
            FoldedOffsets foldedOffsets,
            CatalogAgreement catalogs) {
        this.kafka = kafka;
        this.processorGroup = processorGroup;
        var plan = new TopicTailer.Plan(TOPICS, List.of(), this::beginning);
        var updater = new ReadModelUpdater(model, alreadyFolded, catalogs);
        this.tailer = new TopicTailer(kafka, "read-model", plan, foldedOffsets, updater::fold);
    }

    public void start() {
        tailer.start();
    }

    /** Whether every record that existed at the start has been folded. */
    public boolean caughtUp() {
        return tailer.caughtUp();
    }

    /**
     * Whether the read model is up to date: it has caught up, and has not fallen behind or stopped
     * since.
     */
    public boolean current() {
        return tailer.caughtUp() && tailer.isNearEnd();
    }

    /** Returns false where it takes longer. */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return tailer.awaitCaughtUp(timeout);
    }

    /** The partition of the account's commands. May be called once caught up. */
    public TopicPartition commandsOf(String accountId) {
        return new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), Topic.partition(accountId, tailer.partitions()));
    }

    /** The partition of the report's statuses. May be called once caught up. */
    public TopicPartition statusOf(String accountId, UUID reportId) {
        String key = Topics.reportKey(accountId, reportId);
        return new TopicPartition(Topics.REPORT_STATUS.name(), Topic.partition(key, tailer.partitions()));
    }

    /** The metrics of the Kafka consumer. Safe for use by many threads. */
    public Map<MetricName, ? extends Metric> measured() {
        return tailer.consumerMetrics();
    }

    @Override
    public void close() {
        tailer.close();
    }

    /**
     * The committed offsets are read before the ends of the partitions: a command that is committed
     * in between has its status below those ends.
     */
    private Map<TopicPartition, Long> beginning(
            Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions) throws TimeoutException {
        Map<TopicPartition, Long> committedOffsets = committedOffsets();
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.beginningOffsets(partitions));
        offsets.replaceAll((partition, beginning) -> committedOffsets.getOrDefault(partition, beginning));
        return offsets;
    }

    private Map<TopicPartition, Long> committedOffsets() throws TimeoutException {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(processorGroup)
                    .partitionsToOffsetAndMetadata()
                    .get(10, TimeUnit.SECONDS);
            Map<TopicPartition, Long> committedOffsets = new HashMap<>();
            committed.forEach((partition, offset) -> {
                if (offset != null && partition.topic().equals(Topics.ACCOUNT_COMMANDS.name())) {
                    committedOffsets.put(partition, offset.offset());
                }
            });
            return committedOffsets;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        }
    }
}
