package millrace.gateway.webhooks.index;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.EnableEndpoint;
import millrace.contracts.delivery.DeliveryCommand.Reinstate;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the webhook topics into the index: the deliveries first, then the records about them, as
 * far back as deliveries are kept.
 */
public final class DeliveryReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryReader.class);
    private static final Duration FORGET_EVERY = Duration.ofMinutes(1);
    /** Nobody waits for most of what is read here, and a poll costs more than many of its records. */
    private static final Duration UNAWAITED = Duration.ofMillis(250);

    private final DeliveryIndex index;
    private final EndpointStates states;
    private final Duration keep;
    private final int most;
    private final InstantSource clock;
    private final TopicTailer tailer;
    private long forgetAgainAt;

    /** @param kept bounds of what is read, the same as the index has */
    public DeliveryReader(
            KafkaSettings kafka,
            DeliveryIndex index,
            EndpointStates states,
            Kept kept,
            FoldedOffsets foldedOffsets,
            InstantSource clock) {
        this.index = index;
        this.states = states;
        this.keep = kept.age();
        this.most = kept.number();
        this.clock = clock;
        var plan = new TopicTailer.Plan(
                List.of(Topics.DELIVERIES),
                List.of(Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS, Topics.ENDPOINT_STATE),
                this::beginning,
                UNAWAITED);
        this.tailer = new TopicTailer(kafka, "webhook-deliveries", plan, foldedOffsets, (records, next) -> {
            forgetOld(); // also where nothing comes
            records.forEach(this::fold);
        });
    }

    /** Bounds of the deliveries that are kept, by age and number. */
    public record Kept(Duration age, int number) {}

    public void start() {
        tailer.start();
    }

    /** Whether every record that existed at the start has been folded. */
    public boolean caughtUp() {
        return tailer.caughtUp();
    }

    /** Partitions of each topic. May be called once caught up. */
    public int partitions() {
        return tailer.partitions();
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
        long since = clock.millis() - keep.toMillis();
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.stream()
                .filter(p -> !p.topic().equals(Topics.ENDPOINT_STATE.name()))
                .forEach(p -> times.put(p, since));
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.beginningOffsets(partitions));
        consumer.offsetsForTimes(times).forEach((partition, found) -> {
            long end = ends.getOrDefault(partition, 0L);
            long begin = found == null ? end : found.offset();
            // Reads no more deliveries than are kept, and all records about them since.
            boolean bounded = partition.topic().equals(Topics.DELIVERIES.name());
            offsets.put(partition, bounded ? Math.max(begin, end - most) : begin);
        });
        return offsets;
    }

    private void fold(ConsumerRecord<String, byte[]> record) {
        try {
            String topic = record.topic();
            if (topic.equals(Topics.DELIVERIES.name())) {
                delivery(record);
            } else if (topic.equals(Topics.WEBHOOK_ATTEMPTS.name())) {
                index.attempt(Topics.WEBHOOK_ATTEMPTS.decode(record.value()), record.offset());
            } else if (topic.equals(Topics.WEBHOOK_DEAD_LETTERS.name())) {
                index.deadLetter(Topics.WEBHOOK_DEAD_LETTERS.decode(record.value()), record.offset());
            } else if (record.value() == null) {
                states.remove(record.key());
            } else {
                states.put(Topics.ENDPOINT_STATE.decode(record.value()), clock.instant());
            }
        } catch (SerializationException | IllegalArgumentException e) {
            UnreadableRecord.skipped(LOG, record, e);
        }
    }

    private void delivery(ConsumerRecord<String, byte[]> record) {
        switch (Topics.DELIVERIES.decode(record.value())) {
            case Deliver deliver -> index.deliver(deliver, record.partition(), record.offset());
            case Resend resend -> index.resend(resend, record.partition(), record.offset());
            case Reinstate _, EnableEndpoint _ -> {}
        }
    }

    private void forgetOld() {
        long now = clock.millis();
        if (now >= forgetAgainAt) {
            forgetAgainAt = now + FORGET_EVERY.toMillis();
            index.forgetBefore(now - keep.toMillis());
            states.forgetIdle(Instant.ofEpochMilli(now));
        }
    }
}
