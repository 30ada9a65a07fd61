package millrace.runtime.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import millrace.contracts.topics.Topic;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics without a consumer group: every partition, from offsets that are determined once, with one consumer on a
 * thread of its own. Continues after outages of Kafka. If some topics cannot be read or folded, the others go on.
 */
public final class TopicTailer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicTailer.class);
    private static final Duration RETRY_BACKOFF = Duration.ofMillis(500);
    private static final Duration START_OVER_BACKOFF = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(500);
    /** At least between two polls: a poll costs more than one of its records. */
    private static final Duration LOOP_PERIOD = Duration.ofMillis(4);

    static final int MOST_RECORDS = 2000;

    /**
     * How long a fetch waits at the broker for the first record. By default it is half a second, and a process has some
     * ten topics in which hardly anything happens. Half of the timeout of a request.
     */
    static final int FETCH_WAIT_MILLIS = 1_500;

    /** Most bytes of a fetch of all partitions; the default of 50 MB is much for a small heap. */
    private static final int FETCH_BYTES = 8 << 20;

    private final String name;
    private final FoldedOffsets offsets;
    private final Duration unawaited;
    private final Supplier<Consumer<String, byte[]>> consumers;
    private final List<TailedTopics> all = new ArrayList<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Consumer<String, byte[]> current;

    /** Determines the first offsets. */
    @FunctionalInterface
    public interface Beginning {
        Beginning OLDEST = (consumer, partitions) -> consumer.beginningOffsets(partitions);
        Beginning END = (consumer, partitions) -> consumer.endOffsets(partitions);

        /**
         * Returns the first offset of each partition; those that are missing are not read. Called before the end offsets
         * are read.
         */
        Map<TopicPartition, Long> offsets(Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions);

        /**
         * The leader epoch of what comes before the offset that reading begins or continues at, if it is known. If Kafka
         * has other records there by now, the consumer goes back to the offset from which on they differ.
         */
        default Optional<Integer> epoch(TopicPartition partition) {
            return Optional.empty();
        }
    }

    /** Gets all records of a poll, on one thread; also those of other topics of the tailer. */
    @FunctionalInterface
    public interface BatchFold {
        /**
         * Folds the records. If it throws, the same records come again.
         *
         * @param next the offset that follows in each partition, also without records. Once everything has been
         *     folded that there was at the start, partitions that have not moved may be missing
         * @throws StartOver if the first offsets must be determined again
         */
        void fold(ConsumerRecords<String, byte[]> records, Map<TopicPartition, Long> next);
    }

    /** Makes the tailer determine the first offsets again, after a pause. */
    public static final class StartOver extends KafkaException {
        private static final long serialVersionUID = 1;

        public StartOver(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** @param name of the thread, and part of the client's id */
    public TopicTailer(KafkaSettings kafka, String name, FoldedOffsets offsets) {
        this(kafka, name, offsets, LOOP_PERIOD);
    }

    /**
     * @param name of the thread, and part of the client's id
     * @param unawaited at least between two polls at the end of the topics, while no thread waits for an offset
     */
    public TopicTailer(KafkaSettings kafka, String name, FoldedOffsets offsets, Duration unawaited) {
        this(name, offsets, unawaited, () -> consumer(kafka, name));
    }

    TopicTailer(String name, FoldedOffsets offsets, Duration unawaited, Supplier<Consumer<String, byte[]>> consumers) {
        this.name = name;
        this.offsets = offsets;
        this.unawaited = unawaited;
        this.consumers = consumers;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    /**
     * Adds a topic before the start.
     *
     * @param fold called with each record, on one thread. One that it cannot decode is logged and skipped
     */
    public TailedTopics add(
            Topic<?> topic, Beginning beginning, java.util.function.Consumer<ConsumerRecord<String, byte[]>> fold) {
        return add(List.of(topic), List.of(), beginning, (records, next) -> records.records(topic.name())
                .forEach(record -> {
                    try {
                        fold.accept(record);
                    } catch (SerializationException e) {
                        UnreadableRecord.skipped(LOG, record, e);
                    }
                }));
    }

    /**
     * Adds topics before the start.
     *
     * @param first topics that are read to their end before any of {@code then}
     * @param then further topics
     */
    public TailedTopics add(List<Topic<?>> first, List<Topic<?>> then, Beginning beginning, BatchFold fold) {
        if (thread.getState() != Thread.State.NEW) {
            throw new IllegalStateException(name + " is started");
        }
        var topics = new TailedTopics(first, then, beginning, fold, offsets);
        all.add(topics);
        return topics;
    }

    /** Up to where the topics are folded. */
    public FoldedOffsets foldedOffsets() {
        return offsets;
    }

    public void start() {
        thread.start();
    }

    /** The metrics of the current consumer. Safe for use by many threads. */
    public Map<MetricName, ? extends Metric> consumerMetrics() {
        Consumer<String, byte[]> consumer = current;
        return consumer == null ? Map.of() : consumer.metrics();
    }

    /** Also if it was never started. */
    @Override
    public void close() {
        closed = true;
        if (thread.getState() == Thread.State.NEW) {
            return; // nothing to wait for, which join() would take for a mistake
        }
        Consumer<String, byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            if (!thread.join(Duration.ofSeconds(2))) {
                thread.interrupt();
                thread.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                read();
            } catch (WakeupException | InterruptException | InterruptedException e) {
                LOG.debug("tailer interrupted tailer={}", name);
            } catch (RuntimeException e) {
                failed(all, e);
                pause(RETRY_BACKOFF);
            }
        }
    }

    private void read() throws InterruptedException {
        Consumer<String, byte[]> consumer = consumers.get();
        try {
            current = consumer;
            all.forEach(TailedTopics::detach);
            while (!closed) {
                long started = System.nanoTime();
                boolean more = pollOnce(consumer);
                LockSupport.parkNanos(started + LOOP_PERIOD.toNanos() - System.nanoTime());
                if (!more) {
                    offsets.awaitWaiter(unawaited.minusNanos(System.nanoTime() - started));
                }
            }
        } finally {
            // It is in no group. A farewell to the broker would wait behind the fetch that waits there for records, for
            // half a second.
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** Returns whether there is likely more to read now. */
    private boolean pollOnce(Consumer<String, byte[]> consumer) {
        for (TailedTopics topics : all) {
            if (topics.isDue()) {
                boolean unused = attempt(consumer, topics, () -> {
                    topics.begin(consumer);
                    return true;
                });
            }
        }
        if (consumer.assignment().isEmpty()) {
            return false; // none can be read, and the consumer would not poll
        }
        ConsumerRecords<String, byte[]> records = poll(consumer);
        boolean more = false;
        for (TailedTopics topics : all) {
            if (topics.isAssigned()) {
                more |= attempt(consumer, topics, () -> topics.fold(consumer, records));
            }
        }
        offsets.wakeWaiters();
        return more;
    }

    private ConsumerRecords<String, byte[]> poll(Consumer<String, byte[]> consumer) {
        try {
            return consumer.poll(POLL);
        } catch (TopicAuthorizationException e) {
            List<TailedTopics> denied = all.stream()
                    .filter(topics -> topics.has(e.unauthorizedTopics()))
                    .toList();
            if (denied.isEmpty()) {
                throw e;
            }
            denied.forEach(topics -> leave(consumer, topics, e));
            return ConsumerRecords.empty();
        }
    }

    /** Returns false if the step fails. Then the consumer goes on without these topics for a moment. */
    private boolean attempt(Consumer<String, byte[]> consumer, TailedTopics topics, BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            leave(consumer, topics, e);
            return false;
        }
    }

    private void leave(Consumer<String, byte[]> consumer, TailedTopics topics, RuntimeException failure) {
        failed(List.of(topics), failure);
        boolean startsOver = failure instanceof StartOver;
        topics.leave(consumer, startsOver ? START_OVER_BACKOFF : RETRY_BACKOFF, startsOver);
    }

    private void failed(List<TailedTopics> topics, RuntimeException failure) {
        switch (failure) {
            case StartOver e ->
                LOG.warn("reading topics starts over tailer={} topics={} error={}", name, topics, e.getMessage());
            case KafkaException e ->
                LOG.warn("reading topics failed, retrying tailer={} topics={} error={}", name, topics, e.toString());
            // If the thread ended, what was read would grow old and nobody would know.
            default ->
                LOG.error("reading topics failed unexpectedly, retrying tailer={} topics={}", name, topics, failure);
        }
    }

    private static Consumer<String, byte[]> consumer(KafkaSettings kafka, String name) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_RECORDS);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-" + name);
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }

    private void pause(Duration backoff) {
        try {
            Thread.sleep(backoff);
        } catch (InterruptedException e) {
            LOG.debug("tailer interrupted while waiting to retry tailer={}", name);
        }
    }
}
