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
 * Folds Kafka into the read model: every partition, from the start; of the commands only those that the processor had not
 * taken when this began.
 */
public final class ModelReader implements AutoCloseable {
    private static final List<Topic<?>> TOPICS =
            List.of(Topics.ACCOUNT_STATE, Topics.REPORT_STATUS, Topics.REPORT_REQUESTS, Topics.ACCOUNT_COMMANDS);

    private final KafkaSettings kafka;
    private final String processorGroup;
    private final TopicTailer tailer;

    /** @param processorGroup the consumer group whose committed offsets tell which commands have been taken */
    public ModelReader(
            KafkaSettings kafka,
            String processorGroup,
            ReadModel model,
            AlreadyFoldedCommands alreadyFolded,
            FoldedOffsets positions) {
        this.kafka = kafka;
        this.processorGroup = processorGroup;
        var plan = new TopicTailer.Plan(TOPICS, List.of(), this::beginning);
        this.tailer =
                new TopicTailer(kafka, "read-model", plan, positions, new ReadModelUpdater(model, alreadyFolded)::fold);
    }

    public void start() {
        tailer.start();
    }

    /** Whether everything that was there at the start has been folded. */
    public boolean caughtUp() {
        return tailer.caughtUp();
    }

    /** Whether it answers what is true: it has caught up, and has not fallen behind or stopped since. */
    public boolean current() {
        return tailer.caughtUp() && tailer.isNearEnd();
    }

    /** Waits for it; false where it took longer. */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return tailer.awaitCaughtUp(timeout);
    }

    /** The partition of the account's commands; only once caught up. */
    public TopicPartition commandsOf(String accountId) {
        return new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), Topic.partition(accountId, tailer.partitions()));
    }

    /** The partition of the report's statuses; only once caught up. */
    public TopicPartition statusOf(String accountId, UUID reportId) {
        String key = Topics.reportKey(accountId, reportId);
        return new TopicPartition(Topics.REPORT_STATUS.name(), Topic.partition(key, tailer.partitions()));
    }

    /** What its Kafka client measures; from any thread. */
    public Map<MetricName, ? extends Metric> measured() {
        return tailer.consumerMetrics();
    }

    @Override
    public void close() {
        tailer.close();
    }

    /** Before the ends are asked for: a command that is taken meanwhile has its status before that end. */
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
