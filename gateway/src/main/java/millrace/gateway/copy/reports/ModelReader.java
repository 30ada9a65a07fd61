package millrace.gateway.copy.reports;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.ReadOffsets;
import millrace.gateway.copy.StoredBeginning;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TailedTopics;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.service.CatalogAgreement;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topics into the read model: what the ledger writes from where the rows on the disk end, or from the
 * beginning, and the commands that the processor had not committed when reading began.
 */
public final class ModelReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelReader.class);
    private static final Duration SAY_EVERY = Duration.ofSeconds(10);
    /** Who must know of a record waits for its offset. One poll then has the records of several reports. */
    private static final Duration UNAWAITED = Duration.ofMillis(50);

    private static final List<Topic<?>> TOPICS =
            List.of(Topics.ACCOUNT_STATE, Topics.REPORT_STATUS, Topics.REPORT_REQUESTS, Topics.ACCOUNT_COMMANDS);

    private final KafkaSettings kafka;
    private final String processorGroup;
    private final ReadModel model;
    private final ReadModelUpdater updater;
    private final InstantSource clock;
    private final TopicTailer tailer;
    private final TailedTopics topics;
    /** Whether everything was folded that there was when reading began the last time. */
    private volatile boolean complete;

    private volatile @Nullable Left left;

    // Of the tailer's thread
    private Map<TopicPartition, OffsetAndMetadata> positions = Map.of();
    /** Where the topic of requests begins; empty where it is read. */
    private Map<TopicPartition, OffsetAndMetadata> unreadRequests = Map.of();

    private Pass pass = new Pass(Map.of(), Map.of(), 0);
    private long saidAt;
    private @Nullable Runnable onceComplete;

    /** What is read until the model is complete. */
    private record Pass(Map<TopicPartition, Long> begin, Map<TopicPartition, Long> end, long startedAt) {
        long left(Map<TopicPartition, Long> next) {
            return end.entrySet().stream()
                    .mapToLong(p -> Math.max(0, p.getValue() - next.getOrDefault(p.getKey(), 0L)))
                    .sum();
        }

        long millis() {
            return (System.nanoTime() - startedAt) / 1_000_000;
        }

        Left left(long records) {
            long read = left(begin) - records;
            return new Left(records, read <= 0 ? null : millis() * records / read / 1000);
        }
    }

    /**
     * What has to be read until answers can be given.
     *
     * @param seconds at the speed so far; null before the first records
     */
    public record Left(long records, @Nullable Long seconds) {}

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
        this.kafka = kafka;
        this.processorGroup = processorGroup;
        this.model = model;
        this.updater = new ReadModelUpdater(model, alreadyFolded, catalogs);
        this.clock = clock;
        this.tailer = new TopicTailer(kafka, "read-model", foldedOffsets, UNAWAITED);
        this.topics = tailer.add(TOPICS, List.of(), new StoredBeginning(this::beginning, () -> positions), this::fold);
    }

    /** @param complete called once, when everything has been folded that there is; it must not wait */
    public void start(Runnable complete) {
        onceComplete = complete;
        tailer.start();
    }

    /** Whether every record that existed at the start has been folded, and the rows can be used. */
    public boolean caughtUp() {
        return topics.caughtUp() && complete && !model.damaged();
    }

    /**
     * Whether the read model is up to date: it has caught up, and has not fallen behind or stopped
     * since.
     */
    public boolean current() {
        return caughtUp() && topics.isNearEnd();
    }

    /** How much is to be read, while it is; empty where reading has not begun, and once caught up. */
    public Optional<Left> left() {
        return Optional.ofNullable(left);
    }

    /** The partition of the account's commands. May be called once caught up. */
    public TopicPartition commandsOf(String accountId) {
        return new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), Topic.partition(accountId, topics.partitions()));
    }

    /** The partition of the report's statuses. May be called once caught up. */
    public TopicPartition statusOf(String accountId, UUID reportId) {
        String key = Topics.reportKey(accountId, reportId);
        return new TopicPartition(Topics.REPORT_STATUS.name(), Topic.partition(key, topics.partitions()));
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
            Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions) {
        unread();
        long startedAt = System.nanoTime();
        Map<TopicPartition, Long> begin = new HashMap<>();
        Map<TopicPartition, Long> ends;
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            Map<TopicPartition, Long> committed = committedOffsets(admin);
            begin.putAll(consumer.beginningOffsets(partitions));
            ends = consumer.endOffsets(partitions);
            var copied = CopiedTopics.ask(admin, TopicState.TOPICS, begin, ends);
            ReadModel.Opened opened = model.open(new TopicState(copied, tombstonesKept(admin)), clock.instant());
            positions = opened.positions();
            unreadRequests = unreadRequests(begin);
            begin.keySet().removeAll(unreadRequests.keySet());
            positions.forEach((partition, position) -> begin.put(partition, position.offset()));
            begin.replaceAll(committed::getOrDefault);
            if (opened.rebuilt() != null) {
                LOG.info("read model is built from the topics reason=\"{}\"", opened.rebuilt());
            }
        } catch (StoreException | IOException e) {
            throw new TopicTailer.StartOver("the read model's files cannot be opened: " + e.getMessage(), e);
        }
        Map<TopicPartition, Long> end = new HashMap<>(ends);
        end.keySet().retainAll(begin.keySet());
        pass = new Pass(Map.copyOf(begin), end, startedAt);
        saidAt = startedAt;
        return begin;
    }

    /** The requests are read where that has begun once, because a status does not say what is needed of them. */
    private Map<TopicPartition, OffsetAndMetadata> unreadRequests(Map<TopicPartition, Long> first) {
        Map<TopicPartition, OffsetAndMetadata> requests = new HashMap<>();
        first.forEach((partition, offset) -> {
            if (partition.topic().equals(Topics.REPORT_REQUESTS.name())) {
                requests.put(partition, new OffsetAndMetadata(offset));
            }
        });
        return positions.keySet().stream().anyMatch(requests::containsKey) ? Map.of() : requests;
    }

    private Map<TopicPartition, Long> committedOffsets(Admin admin) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                CopiedTopics.get(admin.listConsumerGroupOffsets(processorGroup).partitionsToOffsetAndMetadata());
        Map<TopicPartition, Long> committedOffsets = new HashMap<>();
        committed.forEach((partition, offset) -> {
            if (offset != null && partition.topic().equals(Topics.ACCOUNT_COMMANDS.name())) {
                committedOffsets.put(partition, offset.offset());
            }
        });
        return committedOffsets;
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

    /** @throws TopicTailer.StartOver where the records were not folded, or it is not known whether they were */
    private void fold(ConsumerRecords<String, byte[]> records, Map<TopicPartition, Long> next) {
        boolean needsRequests = !unreadRequests.isEmpty() && ReadModelUpdater.needsRequests(records);
        try {
            String diverged = ReadOffsets.diverged(positions, records, next);
            if (diverged != null) {
                throw model.distrust(diverged);
            }
            if (!records.isEmpty() || model.damaged()) {
                Map<TopicPartition, OffsetAndMetadata> read = ReadOffsets.after(records, TopicState.TOPICS);
                if (needsRequests) {
                    read.putAll(unreadRequests);
                }
                updater.fold(records, read, clock.instant());
                positions = ReadOffsets.moved(positions, read);
            }
        } catch (StoreException e) {
            unread();
            throw new TopicTailer.StartOver("the read model's files cannot be used: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            unread();
            LOG.error("records not folded into the read model", e);
            throw new TopicTailer.StartOver("records cannot be folded into the read model: " + e, e);
        }
        if (needsRequests) {
            unread();
            throw new TopicTailer.StartOver(
                    "statuses of an earlier build are met, so the requests are read, too", null);
        }
        if (!complete) {
            said(pass.left(next));
        }
    }

    private void unread() {
        complete = false;
        left = null;
    }

    private void said(long records) {
        if (records == 0) {
            left = null;
            complete = true;
            LOG.info(
                    "read model is complete reports={} millis={} bytes={}", model.size(), pass.millis(), model.bytes());
            if (onceComplete != null) {
                onceComplete.run();
                onceComplete = null;
            }
            return;
        }
        Left now = pass.left(records);
        left = now;
        if (System.nanoTime() - saidAt > SAY_EVERY.toNanos()) {
            saidAt = System.nanoTime();
            LOG.info("read model is being read recordsLeft={} secondsLeft={}", now.records(), now.seconds());
        }
    }
}
