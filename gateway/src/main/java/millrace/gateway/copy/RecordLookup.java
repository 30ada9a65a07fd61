package millrace.gateway.copy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import millrace.contracts.topics.Topic;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads records by their offsets, or by key and time, which the models refer to. A few callers at a
 * time, those of accounts in turn. Safe for use by many threads.
 */
public final class RecordLookup implements AutoCloseable {
    /** Records that are read and skipped rather than sought over. */
    private static final long MAX_SKIPPED = 500;

    private static final int SHORT_FETCH_MILLIS = 10;

    /** Callers that read at the same time, each with a consumer. */
    private static final int PLACES = 4;

    private final AccountTurns turns = new AccountTurns(PLACES, PLACES / 2);
    /** Consumers that nobody uses. They are opened when they are needed, and stay. */
    private final ConcurrentLinkedDeque<Consumer<String, byte[]>> idle = new ConcurrentLinkedDeque<>();

    private final AtomicInteger opened = new AtomicInteger();
    private final KafkaSettings kafka;
    private final String purpose;
    private volatile boolean closed;

    /** @param purpose part of the client's id */
    public RecordLookup(KafkaSettings kafka, String purpose) {
        this.kafka = kafka;
        this.purpose = purpose;
    }

    /**
     * The messages at these offsets. Offsets whose record has been deleted are left out. What asks
     * for many asks for some after the other, so that other callers get their turn.
     *
     * @param account that asks
     * @throws TimeoutException where Kafka does not answer in time
     */
    public <V> Map<Long, V> read(
            String account, Topic<V> topic, int partition, Iterable<Long> offsets, Duration timeout) {
        var wanted = new TreeSet<Long>();
        offsets.forEach(wanted::add);
        long end = System.nanoTime() + timeout.toNanos();
        var from = new TopicPartition(topic.name(), partition);
        return ask(account, topic, timeout, consumer -> read(consumer, topic, from, wanted, end));
    }

    /**
     * The first message of the key among the records of this time or later; null where all of them have been deleted.
     *
     * @param account that asks
     * @throws TimeoutException where Kafka does not answer in time
     */
    public <V> @Nullable V find(
            String account, Topic<V> topic, int partition, String key, Instant since, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        var from = new TopicPartition(topic.name(), partition);
        return ask(account, topic, timeout, consumer -> find(consumer, topic, from, key, since, end))
                .orElse(null);
    }

    private <R> R ask(
            String account, Topic<?> topic, Duration timeout, Function<Consumer<String, byte[]>, R> question) {
        try {
            if (!turns.enter(account, timeout.toNanos())) {
                throw new TimeoutException(
                        "others are read, so that " + topic.name() + " was not read within " + timeout);
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        try {
            Consumer<String, byte[]> idling = idle.poll();
            Consumer<String, byte[]> consumer = idling == null ? open() : idling;
            try {
                return question.apply(consumer);
            } finally {
                idle.push(consumer);
                if (closed) {
                    closeIdle();
                }
            }
        } finally {
            turns.leave(account);
        }
    }

    private static <V> Map<Long, V> read(
            Consumer<String, byte[]> from, Topic<V> topic, TopicPartition partition, SortedSet<Long> wanted, long end) {
        Map<Long, V> found = new HashMap<>();
        from.assign(List.of(partition));
        long position = Long.MIN_VALUE;
        while (!wanted.isEmpty()) {
            check(topic, end);
            if (position < wanted.first() - MAX_SKIPPED) {
                from.seek(partition, wanted.first());
            }
            for (ConsumerRecord<String, byte[]> record : from.poll(Duration.ofMillis(200))) {
                if (wanted.contains(record.offset()) && record.value() != null) {
                    found.put(record.offset(), topic.decode(record.value()));
                }
            }
            position = from.position(partition);
            wanted.headSet(position).clear(); // offsets below the position that had no record are deleted
        }
        return found;
    }

    private static <V> Optional<V> find(
            Consumer<String, byte[]> from,
            Topic<V> topic,
            TopicPartition partition,
            String key,
            Instant since,
            long end) {
        from.assign(List.of(partition));
        OffsetAndTimestamp first = from.offsetsForTimes(Map.of(partition, since.toEpochMilli()), left(end))
                .get(partition);
        long last = from.endOffsets(List.of(partition), left(end)).getOrDefault(partition, 0L);
        from.seek(partition, first == null ? last : first.offset());
        while (from.position(partition) < last) {
            check(topic, end);
            for (ConsumerRecord<String, byte[]> record : from.poll(Duration.ofMillis(200))) {
                if (record.value() != null && key.equals(record.key())) {
                    return Optional.of(topic.decode(record.value()));
                }
            }
        }
        return Optional.empty();
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    }

    private static void check(Topic<?> topic, long end) {
        if (System.nanoTime() > end) {
            throw new TimeoutException(topic.name() + " could not be read in time");
        }
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
    }

    /** Those that are in use are closed by their callers. */
    private void closeIdle() {
        for (var consumer = idle.poll(); consumer != null; consumer = idle.poll()) {
            consumer.close(CloseOptions.timeout(Duration.ZERO)); // as in TopicTailer
        }
    }

    private Consumer<String, byte[]> open() {
        Map<String, Object> config = kafka.clientConfig();
        // What is looked up follows from a committed record, which may be readable before its transaction is
        // everywhere.
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // A poll also asks for what follows. At the end of a partition the broker would hold that request, and with it
        // the connection and the next lookup, for half a second.
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, SHORT_FETCH_MILLIS);
        config.put(
                ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-" + purpose + "-" + opened.incrementAndGet());
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }
}
