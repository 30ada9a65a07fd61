package millrace.gateway.copy.deliveries;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.ReadOffsets;
import millrace.gateway.copy.StoredBeginning;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TailedTopics;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the webhook topics into the index, the deliveries first and then the records about them: from where the rows on
 * the disk end, or as far back as deliveries are kept. The states of endpoints are read from the beginning.
 */
public final class DeliveryReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryReader.class);
    private static final Duration FORGET_EVERY = Duration.ofMinutes(1);
    /** Nobody waits for most of what is read here, and a poll costs more than many of its records. */
    private static final Duration UNAWAITED = Duration.ofMillis(250);
    /** The topics that the rows are a copy of. */
    private static final List<Topic<?>> COPIED =
            List.of(Topics.DELIVERIES, Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS);

    private final KafkaSettings kafka;
    private final DeliveryIndex index;
    private final EndpointStates states;
    private final InstantSource clock;
    private final TopicTailer tailer;
    private final TailedTopics topics;

    // Of the tailer's thread
    private Map<TopicPartition, OffsetAndMetadata> positions = Map.of();
    private Map<TopicPartition, Long> ends = Map.of();
    private long beganAt;
    private long forgetAgainAt = System.nanoTime();

    public DeliveryReader(
            KafkaSettings kafka,
            DeliveryIndex index,
            EndpointStates states,
            FoldedOffsets foldedOffsets,
            InstantSource clock) {
        this.kafka = kafka;
        this.index = index;
        this.states = states;
        this.clock = clock;
        this.tailer = new TopicTailer(kafka, "webhook-deliveries", foldedOffsets, UNAWAITED);
        this.topics = tailer.add(
                List.of(Topics.DELIVERIES),
                List.of(Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS, Topics.ENDPOINT_STATE),
                new StoredBeginning(this::beginning, () -> positions),
                this::fold);
    }

    public void start() {
        tailer.start();
    }

    /** Whether every record that existed at the start has been folded, and the rows can be used. */
    public boolean caughtUp() {
        return topics.caughtUp() && index.isComplete();
    }

    /** Partitions of each topic. May be called once caught up. */
    public int partitions() {
        return topics.partitions();
    }

    /** The metrics of the Kafka consumer. Safe for use by many threads. */
    public Map<MetricName, ? extends Metric> measured() {
        return tailer.consumerMetrics();
    }

    @Override
    public void close() {
        tailer.close();
    }

    private Map<TopicPartition, Long> beginning(
            Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions) {
        beganAt = System.nanoTime();
        Map<TopicPartition, Long> begin = new HashMap<>(consumer.beginningOffsets(partitions));
        ends = consumer.endOffsets(partitions);
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            CopiedTopics copied = CopiedTopics.ask(admin, COPIED, begin, ends);
            DeliveryIndex.Opened opened = index.open(copied);
            positions = opened.positions();
            Map<TopicPartition, Long> times = new HashMap<>();
            copied.first().keySet().forEach(partition -> times.put(partition, opened.since()));
            times.keySet().removeAll(positions.keySet());
            consumer.offsetsForTimes(times)
                    .forEach((partition, found) ->
                            begin.put(partition, found == null ? ends.getOrDefault(partition, 0L) : found.offset()));
            positions.forEach((partition, position) -> begin.put(partition, position.offset()));
            if (opened.rebuilt() != null) {
                LOG.info("webhook deliveries are built from the topics reason=\"{}\"", opened.rebuilt());
            }
        } catch (StoreException | IOException e) {
            throw new TopicTailer.StartOver("the files of webhook deliveries cannot be opened: " + e.getMessage(), e);
        }
        return begin;
    }

    /** @throws TopicTailer.StartOver where the records were not folded, or it is not known whether they were */
    private void fold(ConsumerRecords<String, byte[]> records, Map<TopicPartition, Long> next) {
        try {
            String diverged = ReadOffsets.diverged(positions, records, next);
            if (diverged != null) {
                throw index.distrust(diverged);
            }
            // Also where nothing comes
            if (forgets() || !records.isEmpty() || index.damaged()) {
                Map<TopicPartition, OffsetAndMetadata> read = ReadOffsets.after(records, COPIED);
                index.fold(records, read);
                positions = ReadOffsets.moved(positions, read);
            }
        } catch (StoreException e) {
            throw new TopicTailer.StartOver("the files of webhook deliveries cannot be used: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            LOG.error("records not folded into the webhook deliveries", e);
            throw new TopicTailer.StartOver("records cannot be folded into the webhook deliveries: " + e, e);
        }
        records.records(Topics.ENDPOINT_STATE.name()).forEach(this::state);
        if (!index.isComplete()
                && ends.entrySet().stream().allMatch(end -> next.getOrDefault(end.getKey(), 0L) >= end.getValue())) {
            index.completed();
            LOG.info(
                    "webhook deliveries are complete millis={} bytes={}",
                    (System.nanoTime() - beganAt) / 1_000_000,
                    index.bytes());
        }
    }

    private void state(ConsumerRecord<String, byte[]> record) {
        try {
            if (record.value() == null) {
                states.remove(record.key());
            } else {
                states.put(Topics.ENDPOINT_STATE.decode(record.value()), clock.instant());
            }
        } catch (SerializationException | IllegalArgumentException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    /** Whether it is time to forget what is too old. */
    private boolean forgets() {
        long now = System.nanoTime();
        boolean forgets = now - forgetAgainAt >= 0;
        if (forgets) {
            forgetAgainAt = now + FORGET_EVERY.toNanos();
            states.forgetIdle(clock.instant());
        }
        return forgets;
    }
}
