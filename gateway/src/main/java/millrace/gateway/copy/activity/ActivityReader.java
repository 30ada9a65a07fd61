package millrace.gateway.copy.activity;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.ReadOffsets;
import millrace.gateway.copy.StoredBeginning;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the public topics into the activity store, from the offsets that the store has. The
 * statuses of reports come first: with them the store knows the datasets of ledger entries.
 */
public final class ActivityReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityReader.class);
    private static final Duration SAY_EVERY = Duration.ofSeconds(10);
    /** Nobody waits for most of what is read here, and a poll costs more than many of its records. */
    private static final Duration UNAWAITED = Duration.ofMillis(250);

    static final List<Topic<?>> TOPICS = Stream.concat(Stream.of(Topics.REPORT_STATUS), Positions.TOPICS.stream())
            .toList();

    private final KafkaSettings kafka;
    private final ActivityStore store;
    private final TopicTailer tailer;

    // Of the tailer's thread
    private Map<TopicPartition, FeedPartition> partitions = Map.of();
    private Map<TopicPartition, OffsetAndMetadata> positions = Map.of();
    private Pass pass = new Pass(Map.of(), Map.of(), 0);
    private boolean complete;
    private long saidAt;

    /** What is read until the store is complete. */
    private record Pass(Map<TopicPartition, Long> begin, Map<TopicPartition, Long> end, long startedAt) {
        ActivityStore.Progress progress(Map<TopicPartition, FeedPartition> read) {
            long all = 0;
            long done = 0;
            for (Map.Entry<TopicPartition, Long> target : end.entrySet()) {
                long from = begin.getOrDefault(target.getKey(), 0L);
                FeedPartition partition = read.get(target.getKey());
                long now = partition == null ? from : partition.next();
                all += Math.max(0, target.getValue() - from);
                done += Math.max(0, Math.min(target.getValue(), now) - from);
            }
            return new ActivityStore.Progress(done >= all, all == 0 ? 1 : (double) done / all);
        }

        long millis() {
            return (System.nanoTime() - startedAt) / 1_000_000;
        }
    }

    public ActivityReader(KafkaSettings kafka, ActivityStore store) {
        this.kafka = kafka;
        this.store = store;
        this.tailer = new TopicTailer(kafka, "activity", store.foldedOffsets(), UNAWAITED);
        var unused = tailer.add(
                List.of(Topics.REPORT_STATUS),
                Positions.TOPICS,
                new StoredBeginning(this::beginning, () -> positions),
                this::fold);
    }

    public void start() {
        tailer.start();
    }

    /** The metrics of the Kafka consumer. Safe for use by many threads. */
    public Map<MetricName, ? extends Metric> measured() {
        return tailer.consumerMetrics();
    }

    @Override
    public void close() {
        tailer.close();
    }

    private Map<TopicPartition, Long> beginning(Consumer<String, byte[]> consumer, Collection<TopicPartition> all) {
        complete = false;
        store.progressed(ActivityStore.Progress.NONE);
        Map<TopicPartition, Long> first = consumer.beginningOffsets(all);
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        ActivityStore.Opened opened;
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            CopiedTopics topics = CopiedTopics.ask(admin, TOPICS, first, ends);
            opened = store.open(new CopiedTopics(identity(admin), topics.first(), topics.ends(), topics.epochs()));
        } catch (StoreException | IOException e) {
            throw new TopicTailer.StartOver("the activity store cannot be opened: " + e.getMessage(), e);
        }
        partitions = opened.partitions();
        Map<TopicPartition, Long> next = new HashMap<>();
        positions = opened.positions();
        positions.forEach((partition, position) -> next.put(partition, position.offset()));
        pass = new Pass(next, ends, System.nanoTime());
        saidAt = pass.startedAt();
        if (opened.rebuilt() != null) {
            LOG.info("activity store is built from the topics reason=\"{}\"", opened.rebuilt());
        }
        return next;
    }

    /** @throws TopicTailer.StartOver where the records were not folded, or it is not known whether they were */
    void fold(ConsumerRecords<String, byte[]> records, Map<TopicPartition, Long> next) {
        try {
            String diverged = ReadOffsets.diverged(positions, records, next);
            if (diverged != null) {
                throw store.distrust(diverged);
            }
            Map<TopicPartition, OffsetAndMetadata> read = ReadOffsets.after(records, TOPICS);
            partitions = store.fold(records, partitions, read, next);
            positions = ReadOffsets.moved(positions, read);
        } catch (StoreException e) {
            throw new TopicTailer.StartOver("the activity store cannot be used: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            LOG.error("records not folded into the activity store", e);
            throw new TopicTailer.StartOver("records cannot be folded into the activity store: " + e, e);
        }
        if (!complete) {
            said(pass.progress(partitions));
        }
    }

    private void said(ActivityStore.Progress progress) {
        complete = progress.done();
        store.progressed(progress);
        if (complete) {
            LOG.info("activity store is complete millis={} bytes={}", pass.millis(), store.bytes());
        } else if (System.nanoTime() - saidAt > SAY_EVERY.toNanos()) {
            saidAt = System.nanoTime();
            LOG.info("activity store is being read percent={}", (int) (100 * progress.part()));
        }
    }

    /**
     * The ids of the topics, which others of the same names would not have. That of data versions is left out: stores
     * and positions of builds that did not read it stay valid.
     */
    private static String identity(Admin admin) {
        List<String> names = new ArrayList<>(Positions.TOPICS.stream()
                .filter(topic -> !topic.equals(Topics.DATASET_VERSIONS))
                .map(Topic::name)
                .toList());
        names.add(Topics.REPORT_STATUS.name());
        var ids = new TreeMap<String, String>();
        CopiedTopics.get(admin.describeTopics(names).allTopicNames())
                .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids.toString();
    }
}
