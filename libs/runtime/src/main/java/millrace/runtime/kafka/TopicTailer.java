package millrace.runtime.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics without a consumer group: every partition, from offsets that are determined once, on
 * a thread of its own. Continues after outages of Kafka.
 */
public final class TopicTailer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicTailer.class);
    private static final Duration RETRY_BACKOFF = Duration.ofMillis(500);
    private static final Duration START_OVER_BACKOFF = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(500);
    /** At least between two polls: a poll costs more than one of its records. */
    private static final Duration LOOP_PERIOD = Duration.ofMillis(4);
    /**
     * How often the consumer is asked about each partition, for the lag and for positions that were reset since their
     * records were deleted.
     */
    private static final Duration SURVEY_PERIOD = Duration.ofMillis(500);
    /**
     * By then the consumer has fetched once from each partition, which takes {@link #FETCH_WAIT_MILLIS} where there are
     * no records. Before, it would send a request for each of them to know the lag.
     */
    private static final Duration FIRST_SURVEY = Duration.ofSeconds(2);

    private static final int MOST_RECORDS = 2000;
    /** Of a poll after which more are likely to be there. */
    private static final int MANY_RECORDS = MOST_RECORDS / 2;

    /**
     * How long a fetch waits at the broker for the first record. By default it is half a second, and a process has some
     * ten topics in which hardly anything happens. Half of the timeout of a request.
     */
    private static final int FETCH_WAIT_MILLIS = 1_500;

    /** Most bytes of a fetch of all partitions; the default of 50 MB is much for a small heap. */
    private static final int FETCH_BYTES = 8 << 20;

    private final KafkaSettings kafka;
    private final String name;
    private final Plan plan;
    private final FoldedOffsets offsets;
    private final BatchFold fold;
    private final Thread thread;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final LagCheck lagCheck = new LagCheck(System::nanoTime);
    private volatile boolean closed;
    private volatile @Nullable Consumer<String, byte[]> current;
    private volatile Map<TopicPartition, Long> targets = Map.of();
    private volatile int partitions;

    // Of the thread
    /** Whether the current consumer has reached all targets. */
    private boolean read;

    private long surveyDueAt;
    /** As of the last survey. */
    private long lag;

    /** Determines the first offsets. */
    @FunctionalInterface
    public interface Beginning {
        /**
         * Returns the first offset of each partition; those that are missing are not read. Called before the end offsets
         * are read.
         */
        Map<TopicPartition, Long> offsets(Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions);

        /**
         * The leader epoch of what comes before the offset that reading begins or continues at, where it is known. Where
         * Kafka has other records there by now, the consumer goes back to the offset from which on they differ.
         */
        default Optional<Integer> epoch(TopicPartition partition) {
            return Optional.empty();
        }
    }

    /**
     * @param first topics that are read to their end before any of {@code then}
     * @param then further topics
     * @param unawaited at least between two polls at the end of the topics, while no thread waits for an offset
     */
    public record Plan(List<Topic<?>> first, List<Topic<?>> then, Beginning beginning, Duration unawaited) {
        public Plan(List<Topic<?>> first, List<Topic<?>> then, Beginning beginning) {
            this(first, then, beginning, LOOP_PERIOD);
        }
    }

    /** Gets all records of a poll, on one thread. */
    @FunctionalInterface
    public interface BatchFold {
        /**
         * Folds the records. Where it throws, the same records come again.
         *
         * @param next the offset that follows in each partition, also without records. Once everything has been
         *     folded that there was at the start, partitions that have not moved may be missing
         * @throws StartOver where the first offsets must be determined again
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

    /**
     * @param name of the thread, and part of the client's id
     * @param fold called with each record, on one thread
     */
    public TopicTailer(
            KafkaSettings kafka,
            String name,
            Plan plan,
            FoldedOffsets offsets,
            java.util.function.Consumer<ConsumerRecord<String, byte[]>> fold) {
        this(kafka, name, plan, offsets, (records, next) -> records.forEach(fold));
    }

    /** @param name of the thread, and part of the client's id */
    public TopicTailer(KafkaSettings kafka, String name, Plan plan, FoldedOffsets offsets, BatchFold fold) {
        this.kafka = kafka;
        this.name = name;
        this.plan = plan;
        this.offsets = offsets;
        this.fold = fold;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Whether every record that existed at the start has been folded. */
    public boolean caughtUp() {
        return caughtUp.getCount() == 0;
    }

    /**
     * Whether the tailer was within 10 000 records of the end less than 2 s ago, as far as the
     * consumer knows.
     */
    public boolean isNearEnd() {
        return lagCheck.isSmall();
    }

    /** Returns false where it takes longer. */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return caughtUp.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Partitions of each topic; 0 before they are known. */
    public int partitions() {
        return partitions;
    }

    /** The metrics of the current consumer. Safe for use by many threads. */
    public Map<MetricName, ? extends Metric> consumerMetrics() {
        Consumer<String, byte[]> consumer = current;
        return consumer == null ? Map.of() : consumer.metrics();
    }

    /** Also where it was never started. */
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
            } catch (StartOver e) {
                LOG.warn("reading topics starts over tailer={} error={}", name, e.getMessage());
                targets = Map.of();
                pause(START_OVER_BACKOFF);
            } catch (KafkaException e) {
                LOG.warn("reading topics failed, retrying tailer={} error={}", name, e.toString());
                pause(RETRY_BACKOFF);
            } catch (RuntimeException e) {
                // Without this thread, what was read would grow old and nobody would know.
                LOG.error("reading topics failed unexpectedly, retrying tailer={}", name, e);
                pause(RETRY_BACKOFF);
            }
        }
    }

    private void read() throws InterruptedException {
        Consumer<String, byte[]> consumer = consumer();
        try {
            current = consumer;
            begin(consumer);
            while (!closed) {
                long started = System.nanoTime();
                boolean more = pollOnce(consumer);
                LockSupport.parkNanos(started + LOOP_PERIOD.toNanos() - System.nanoTime());
                if (!more) {
                    offsets.awaitWaiter(plan.unawaited().minusNanos(System.nanoTime() - started));
                }
            }
        } finally {
            // It is in no group. A farewell to the broker would wait behind the fetch that waits there for records, for
            // half a second.
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** Continues where an earlier consumer of this process stopped. */
    private void begin(Consumer<String, byte[]> consumer) {
        if (targets.isEmpty()) {
            List<TopicPartition> all = partitions(consumer);
            Map<TopicPartition, Long> begin = plan.beginning().offsets(consumer, all);
            begin.forEach(offsets::folded);
            targets = consumer.endOffsets(begin.keySet());
        }
        consumer.assign(targets.keySet());
        targets.keySet()
                .forEach(p -> consumer.seek(
                        p, new OffsetAndMetadata(offsets.of(p), plan.beginning().epoch(p), "")));
        if (!reached(plan.first())) {
            consumer.pause(of(plan.then()));
        }
        read = false;
    }

    /**
     * Returns whether there is likely more to read now. Once all is read, it costs as much as what the poll has advanced
     * in, however many partitions there are.
     */
    private boolean pollOnce(Consumer<String, byte[]> consumer) {
        ConsumerRecords<String, byte[]> records = consumer.poll(POLL);
        boolean survey = read && System.nanoTime() - surveyDueAt >= 0;
        Map<TopicPartition, Long> next = new HashMap<>();
        if (survey || !read) {
            targets.keySet().forEach(partition -> next.put(partition, consumer.position(partition)));
        } else {
            records.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
        }
        fold.fold(records, next);
        next.forEach(offsets::folded);
        if (!read) {
            goOn(consumer);
        }
        if (survey) {
            lag = lag(consumer);
            surveyDueAt = System.nanoTime() + SURVEY_PERIOD.toNanos();
        }
        if (read) {
            lagCheck.record(lag);
        }
        if (read && !caughtUp()) {
            caughtUp.countDown();
            LOG.info("tailer caught up tailer={}", name);
        }
        offsets.wakeWaiters();
        return !read || records.count() >= MANY_RECORDS;
    }

    private void goOn(Consumer<String, byte[]> consumer) {
        if (!consumer.paused().isEmpty() && reached(plan.first())) {
            consumer.resume(consumer.paused());
        }
        read = reached(plan.first()) && reached(plan.then());
        surveyDueAt = System.nanoTime() + FIRST_SURVEY.toNanos();
    }

    private long lag(Consumer<String, byte[]> consumer) {
        return targets.keySet().stream()
                .mapToLong(partition -> consumer.currentLag(partition).orElse(0))
                .sum();
    }

    private boolean reached(List<Topic<?>> topics) {
        return of(topics).stream().allMatch(p -> offsets.hasReached(p, targets.getOrDefault(p, 0L)));
    }

    private List<TopicPartition> of(List<Topic<?>> topics) {
        List<String> names = topics.stream().map(Topic::name).toList();
        return targets.keySet().stream().filter(p -> names.contains(p.topic())).toList();
    }

    private List<TopicPartition> partitions(Consumer<String, byte[]> consumer) {
        List<TopicPartition> all = new ArrayList<>();
        for (Topic<?> topic :
                Stream.concat(plan.first().stream(), plan.then().stream()).toList()) {
            Collection<PartitionInfo> infos = consumer.partitionsFor(topic.name());
            if (infos == null || infos.isEmpty()) {
                throw new KafkaException("topic " + topic.name() + " does not exist yet");
            }
            infos.forEach(info -> all.add(new TopicPartition(topic.name(), info.partition())));
            partitions = infos.size();
        }
        return all;
    }

    private Consumer<String, byte[]> consumer() {
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
