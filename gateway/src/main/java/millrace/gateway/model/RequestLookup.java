package millrace.gateway.model;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import millrace.contracts.AccountCommand;
import millrace.contracts.AccountCommand.RequestReport;
import millrace.contracts.Topics;
import millrace.runtime.KafkaSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads single requests from where they lie in Kafka. One at a time. */
public final class RequestLookup implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ReentrantLock lock = new ReentrantLock();
    private final KafkaSettings kafka;
    private final InstantSource clock;
    private @Nullable Consumer<String, byte[]> consumer;

    public RequestLookup(KafkaSettings kafka, InstantSource clock) {
        this.kafka = kafka;
        this.clock = clock;
    }

    /**
     * @return empty where the record has gone, because a newer place is known by now or the report was forgotten
     * @throws TimeoutException where Kafka does not answer within 2 s
     */
    public Optional<RequestReport> read(RequestRef ref) {
        lock.lock();
        try {
            if (consumer == null) {
                consumer = open();
            }
            return read(consumer, ref);
        } finally {
            lock.unlock();
        }
    }

    private Optional<RequestReport> read(Consumer<String, byte[]> from, RequestRef ref) {
        TopicPartition partition = ref.topicPartition();
        from.assign(List.of(partition));
        from.seek(partition, ref.offset());
        Instant end = clock.instant().plus(PATIENCE);
        while (clock.instant().isBefore(end)) {
            for (ConsumerRecord<String, byte[]> record : from.poll(Duration.ofMillis(200))) {
                return record.offset() == ref.offset() ? decode(record, ref) : Optional.empty();
            }
        }
        throw new TimeoutException("the request could not be read within " + PATIENCE);
    }

    private static Optional<RequestReport> decode(ConsumerRecord<String, byte[]> record, RequestRef ref) {
        if (record.value() == null) {
            return Optional.empty();
        }
        AccountCommand command = ref.settled()
                ? Topics.REPORT_REQUESTS.decode(record.value())
                : Topics.ACCOUNT_COMMANDS.decode(record.value());
        return command instanceof RequestReport request ? Optional.of(request) : Optional.empty();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (consumer != null) {
                consumer.close();
                consumer = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private Consumer<String, byte[]> open() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-requests");
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }
}
