package millrace.gateway.copy.deliveries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.database.LocalDatabase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** An index in a folder of its own, which is told of one record after the other. */
final class DeliveriesOnDisk implements AutoCloseable {
    static final Duration KEEP = Duration.ofDays(7);
    private static final CopiedTopics TOPICS = new CopiedTopics("topics", Map.of(), Map.of(), Map.of());

    private final Path folder;
    private final DeliveryIndex index;
    private Instant now = DeliveryRecords.at(0);

    DeliveriesOnDisk() {
        try {
            folder = Files.createTempDirectory("deliveries");
            index = DeliveryIndex.in(folder, KEEP, () -> now);
            var unused = index.open(TOPICS);
            index.completed(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DeliveryIndex index() {
        return index;
    }

    /** From now on it is so late. */
    void at(Instant time) {
        now = time;
        index.fold(List.of(), Map.of());
    }

    void command(DeliveryCommand command, int partition, long offset) {
        fold(List.of(record(Topics.DELIVERIES, partition, offset, command)));
    }

    void attempt(WebhookAttempt attempt, long offset) {
        fold(List.of(record(Topics.WEBHOOK_ATTEMPTS, 0, offset, attempt)));
    }

    void deadLetter(WebhookDeadLetter letter, long offset) {
        fold(List.of(record(Topics.WEBHOOK_DEAD_LETTERS, 0, offset, letter)));
    }

    void fold(List<ConsumerRecord<String, byte[]>> records) {
        index.fold(records, Map.of());
    }

    static <V> ConsumerRecord<String, byte[]> record(Topic<V> topic, int partition, long offset, V value) {
        return record(topic, partition, offset, value, 0);
    }

    static <V> ConsumerRecord<String, byte[]> record(Topic<V> topic, int partition, long offset, V value, int epoch) {
        return new ConsumerRecord<>(
                topic.name(),
                partition,
                offset,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                "endpoint",
                topic.encode(value),
                new RecordHeaders(),
                Optional.of(epoch));
    }

    @Override
    public void close() {
        index.close();
        try {
            LocalDatabase.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
