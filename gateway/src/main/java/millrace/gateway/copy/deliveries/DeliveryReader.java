package millrace.gateway.copy.deliveries;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.CopyReader;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.kafka.UnreadableRecord;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the webhook topics into the index, the deliveries first and then the records about them: from where the rows on
 * the disk end, or as far back as deliveries are kept. The states of endpoints are read from the beginning.
 */
public final class DeliveryReader extends CopyReader {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryReader.class);
    private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

    private static final List<Topic<?>> ROWS =
            List.of(Topics.DELIVERIES, Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS);

    private final DeliveryIndex index;
    private final EndpointStates states;
    private final InstantSource clock;
    /** Of the tailer's thread. */
    private long forgetAgainAt = System.nanoTime();

    public DeliveryReader(
            KafkaSettings kafka,
            DeliveryIndex index,
            EndpointStates states,
            FoldedOffsets foldedOffsets,
            InstantSource clock) {
        super(
                kafka,
                new TopicTailer(kafka, "webhook-deliveries", foldedOffsets, RARE_POLLS),
                new Copy(
                        "webhook deliveries",
                        index.store(),
                        List.of(Topics.DELIVERIES),
                        List.of(Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS, Topics.ENDPOINT_STATE),
                        ROWS));
        this.index = index;
        this.states = states;
        this.clock = clock;
    }

    @Override
    protected CopiedTopics.Opened open(Opening opening) throws IOException {
        return index.open(opening.topics());
    }

    @Override
    protected Map<TopicPartition, Long> beginning(Opening opening, Map<TopicPartition, OffsetAndMetadata> positions) {
        CopiedTopics topics = opening.topics();
        Map<TopicPartition, Long> times = new HashMap<>();
        topics.first()
                .keySet()
                .forEach(partition -> times.put(partition, index.begin().toEpochMilli()));
        times.keySet().removeAll(positions.keySet());
        Map<TopicPartition, Long> begin = new HashMap<>(opening.first());
        opening.consumer()
                .offsetsForTimes(times)
                .forEach((partition, found) -> begin.put(
                        partition, found == null ? topics.ends().getOrDefault(partition, 0L) : found.offset()));
        return begin;
    }

    @Override
    protected void fold(
            ConsumerRecords<String, byte[]> records,
            Map<TopicPartition, OffsetAndMetadata> read,
            Map<TopicPartition, Long> next) {
        // Also if nothing comes
        if (forgets() || !records.isEmpty() || index.store().damaged()) {
            index.fold(records, read);
        }
        records.records(Topics.ENDPOINT_STATE.name()).forEach(this::state);
    }

    @Override
    protected void progressed(Progress newest) {
        index.completed(newest.done());
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
