package millrace.gateway.copy.reports;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.CopyReader;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.service.CatalogAgreement;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topics into the read model: what the ledger writes from where the rows on the disk end, or from the
 * beginning, and the commands that the processor had not committed when reading began.
 */
public final class ModelReader extends CopyReader {
    /** Who must know of a record waits for its offset. One poll then has the records of several reports. */
    private static final Duration UNAWAITED = Duration.ofMillis(50);

    private final String processorGroup;
    private final ReadModel model;
    private final ReadModelUpdater updater;
    private final InstantSource clock;

    // Of the tailer's thread
    private Map<TopicPartition, Long> committed = Map.of();
    /** Where the topic of requests begins; empty if it is read. */
    private Map<TopicPartition, OffsetAndMetadata> unreadRequests = Map.of();

    private @Nullable Runnable onceComplete;

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
            CatalogAgreement catalogs,
            InstantSource clock) {
        super(
                kafka,
                new TopicTailer(kafka, "read-model", foldedOffsets, UNAWAITED),
                new Copy(
                        "read model",
                        model.store(),
                        List.of(
                                Topics.ACCOUNT_STATE,
                                Topics.REPORT_STATUS,
                                Topics.REPORT_REQUESTS,
                                Topics.ACCOUNT_COMMANDS),
                        List.of(),
                        TopicState.TOPICS));
        this.processorGroup = processorGroup;
        this.model = model;
        this.updater = new ReadModelUpdater(model, alreadyFolded, catalogs);
        this.clock = clock;
    }

    /** @param complete called once, when everything has been folded that there is; it must not wait */
    public void start(Runnable complete) {
        onceComplete = complete;
        start();
    }

    /** The partition of the account's commands. May be called once caught up. */
    public TopicPartition commandsOf(String accountId) {
        return new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), Topic.partition(accountId, partitions()));
    }

    /** The partition of the report's statuses. May be called once caught up. */
    public TopicPartition statusOf(String accountId, UUID reportId) {
        String key = Topics.reportKey(accountId, reportId);
        return new TopicPartition(Topics.REPORT_STATUS.name(), Topic.partition(key, partitions()));
    }

    /** A command that is committed before the ends are read has its status below those ends. */
    @Override
    protected void beforeEnds(Admin admin) {
        Map<TopicPartition, OffsetAndMetadata> offsets =
                CopiedTopics.get(admin.listConsumerGroupOffsets(processorGroup).partitionsToOffsetAndMetadata());
        committed = new HashMap<>();
        offsets.forEach((partition, offset) -> {
            if (offset != null && partition.topic().equals(Topics.ACCOUNT_COMMANDS.name())) {
                committed.put(partition, offset.offset());
            }
        });
    }

    @Override
    protected CopiedTopics.Opened open(Opening opening) throws IOException {
        return model.open(new TopicState(opening.topics(), tombstonesKept(opening.admin())), clock.instant());
    }

    @Override
    protected Map<TopicPartition, Long> beginning(Opening opening, Map<TopicPartition, OffsetAndMetadata> positions) {
        unreadRequests = unreadRequests(opening.first(), positions);
        Map<TopicPartition, Long> begin = new HashMap<>(opening.first());
        begin.keySet().removeAll(unreadRequests.keySet());
        begin.replaceAll(committed::getOrDefault);
        return begin;
    }

    /** The requests are read if that has begun once, because a status does not say what is needed of them. */
    private static Map<TopicPartition, OffsetAndMetadata> unreadRequests(
            Map<TopicPartition, Long> first, Map<TopicPartition, OffsetAndMetadata> positions) {
        Map<TopicPartition, OffsetAndMetadata> requests = new HashMap<>();
        first.forEach((partition, offset) -> {
            if (partition.topic().equals(Topics.REPORT_REQUESTS.name())) {
                requests.put(partition, new OffsetAndMetadata(offset));
            }
        });
        return positions.keySet().stream().anyMatch(requests::containsKey) ? Map.of() : requests;
    }

    private static Duration tombstonesKept(Admin admin) {
        List<ConfigResource> topics = TopicState.TOPICS.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic.name()))
                .toList();
        return CopiedTopics.get(admin.describeConfigs(topics).all()).values().stream()
                .flatMap(config -> Stream.ofNullable(config.get(TopicConfig.DELETE_RETENTION_MS_CONFIG)))
                .map(entry -> Duration.ofMillis(Long.parseLong(entry.value())))
                .min(Comparator.naturalOrder())
                .orElse(Topic.TOMBSTONES_KEPT);
    }

    @Override
    protected void fold(
            ConsumerRecords<String, byte[]> records,
            Map<TopicPartition, OffsetAndMetadata> read,
            Map<TopicPartition, Long> next) {
        boolean needsRequests = !unreadRequests.isEmpty() && ReadModelUpdater.needsRequests(records);
        if (needsRequests) {
            read.putAll(unreadRequests);
        }
        if (!records.isEmpty() || model.store().damaged()) {
            updater.fold(records, read, clock.instant());
        }
        if (needsRequests) {
            throw new TopicTailer.StartOver(
                    "statuses of an earlier build are met, so the requests are read, too", null);
        }
    }

    @Override
    protected void progressed(Progress newest) {
        if (newest.done() && onceComplete != null) {
            onceComplete.run();
            onceComplete = null;
        }
    }
}
