package millrace.processor.retention;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the deletions that the ledger hands out, and deletes the files. Offsets are committed when the files are gone,
 * so that what a killed process has not done is done by another. While the store does not delete, the records are read
 * again, after longer and longer pauses.
 */
public final class FileDeleter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileDeleter.class);

    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration COMMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(1);
    private static final Duration END = Duration.ofSeconds(2);
    /** Each has at most {@link millrace.contracts.commands.FileDeletion#MOST_FILES} files, and nearly all have one. */
    private static final int RECORDS = 100;

    private static final int FETCH_BYTES = 1 << 20;
    /** Without another processor nobody waits for it, and a store that is unavailable may need minutes to say so. */
    private static final Duration LONGEST_BATCH = Duration.ofMinutes(30);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    /** A file that is refused so often, while others can be deleted, is given up. */
    private static final int MOST_TRIES = 10;

    private final KafkaSettings kafka;
    private final Tools tools;
    private final DeletionBatch batch;
    private final ServiceThreads threads;
    private final Thread thread;
    private int failures;
    private int partlyFailed;
    private long resumeAt;

    private volatile @Nullable Consumer<String, byte[]> running;
    private volatile boolean stopping;

    /**
     * The environment of the deleter.
     *
     * @param files the store
     * @param owned whether the store is known to be that of this Kafka; nothing is deleted before
     * @param registry receives the metrics
     */
    public record Tools(
            Files files,
            BooleanSupplier owned,
            KafkaClientFactory clients,
            ServiceThreads threads,
            MeterRegistry registry) {}

    FileDeleter(KafkaSettings kafka, Tools tools) {
        this.kafka = kafka;
        this.tools = tools;
        this.threads = tools.threads();
        this.batch = new DeletionBatch(tools.files(), new DeletionMetrics(tools.registry()), threads);
        this.thread = threads.platform().name("file-deleter").unstarted(this::loop);
        this.resumeAt = threads.nanoTime();
        ConsumerLagGauge.register(tools.registry(), "file-deletions", Topics.FILE_DELETIONS.name(), this::measured);
    }

    /** Starts the thread; the topic must exist. */
    public static FileDeleter start(KafkaSettings kafka, Tools tools) {
        var deleter = new FileDeleter(kafka, tools);
        deleter.thread.start();
        return deleter;
    }

    private Map<MetricName, ? extends Metric> measured() {
        Consumer<String, byte[]> consumer = running;
        return consumer == null ? Map.of() : consumer.metrics();
    }

    /** Without the right to read, for example, the service goes on, and the topic keeps the records for days. */
    private void loop() {
        while (!stopping) {
            try {
                awaitOwned();
                read();
            } catch (WakeupException e) {
                LOG.debug("woken up", e);
            } catch (RuntimeException e) {
                if (!stopping) {
                    LOG.error("deletions not read, they are tried again pause={}", LONGEST_PAUSE, e);
                    pause(LONGEST_PAUSE);
                }
            }
        }
        batch.close();
    }

    private void read() {
        Consumer<String, byte[]> consumer = tools.clients().consumer(config());
        running = consumer;
        try {
            consumer.subscribe(List.of(Topics.FILE_DELETIONS.name()));
            while (!stopping) {
                step(consumer);
            }
        } finally {
            running = null;
            close(consumer);
        }
    }

    /** So that the start of the process is over before a consumer joins, too. */
    private void awaitOwned() {
        while (!stopping && !tools.owned().getAsBoolean()) {
            threads.parkNanos(IDLE.toNanos());
        }
    }

    /** Deletes the files of the next records, unless it pauses. */
    void step(Consumer<String, byte[]> consumer) {
        if (tools.owned().getAsBoolean() && threads.nanoTime() - resumeAt >= 0) {
            consumer.resume(consumer.paused());
        } else {
            consumer.pause(consumer.assignment());
        }
        ConsumerRecords<String, byte[]> records = consumer.poll(IDLE);
        if (records.isEmpty()) {
            return;
        }
        Map<TopicPartition, Long> again;
        if (tools.owned().getAsBoolean()) {
            again = failed(batch.delete(records));
        } else { // a partition that came with this poll
            again = beginnings(records);
        }
        again.forEach(consumer::seek);
        commit(consumer, done(records, again));
    }

    private static Map<TopicPartition, Long> beginnings(ConsumerRecords<String, byte[]> records) {
        Map<TopicPartition, Long> beginnings = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            beginnings.put(partition, records.records(partition).getFirst().offset());
        }
        return beginnings;
    }

    /** Counts failures, and returns the records to read again: the first of each partition. */
    private Map<TopicPartition, Long> failed(DeletionBatch.Outcome outcome) {
        if (outcome.failed().isEmpty()) {
            failures = 0;
            partlyFailed = 0;
            return Map.of();
        }
        partlyFailed = outcome.deleted() > 0 ? partlyFailed + 1 : partlyFailed;
        if (partlyFailed >= MOST_TRIES) {
            batch.giveUp(outcome);
            failures = 0;
            partlyFailed = 0;
            return Map.of();
        }
        Duration pause = pauseAfter(++failures);
        resumeAt = threads.nanoTime() + pause.toNanos();
        LOG.warn(
                "files not deleted, they are tried again records={} pause={} error={}",
                outcome.failed().size(),
                pause,
                outcome.error());
        return outcome.first();
    }

    static Duration pauseAfter(int failures) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 20));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /** The offsets before which everything is done. */
    private static Map<TopicPartition, OffsetAndMetadata> done(
            ConsumerRecords<String, byte[]> records, Map<TopicPartition, Long> again) {
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            long end = records.records(partition).getLast().offset() + 1;
            done.put(partition, new OffsetAndMetadata(again.getOrDefault(partition, end)));
        }
        return done;
    }

    /** What is not committed is deleted again, by this process or another. */
    private static void commit(Consumer<String, byte[]> consumer, Map<TopicPartition, OffsetAndMetadata> done) {
        try {
            consumer.commitSync(done, COMMIT);
        } catch (WakeupException e) {
            consumer.commitSync(done, CLOSE);
        } catch (RebalanceInProgressException | CommitFailedException | TimeoutException e) {
            LOG.debug("deletions not committed", e);
        }
    }

    private Map<String, Object> config() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.GROUP_ID_CONFIG, ConsumerGroups.FILE_DELETERS);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-file-deleter");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        // As of all of the processor: with Kafka's 45 s a repartition would wait for a processor that was killed.
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS);
        config.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Math.toIntExact(LONGEST_BATCH.toMillis()));
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
        return config;
    }

    private void pause(Duration time) {
        long end = threads.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && !stopping; left = end - threads.nanoTime()) {
            threads.parkNanos(Math.min(left, IDLE.toNanos()));
        }
    }

    private static void close(Consumer<String, byte[]> consumer) {
        try {
            consumer.close(CloseOptions.timeout(CLOSE)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        } catch (KafkaException e) {
            LOG.debug("closing a consumer failed", e);
        }
    }

    /** Makes the thread end after the files that are being deleted. Returns at once. */
    public void stop() {
        stopping = true;
        Consumer<String, byte[]> consumer = running;
        if (consumer != null) {
            consumer.wakeup();
        }
    }

    /** Stops, and waits a moment for the end of the thread. What is not deleted is handed to another process. */
    @Override
    public void close() {
        stop();
        long end = threads.nanoTime() + END.toNanos();
        while (thread.isAlive()
                && threads.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            threads.parkNanos(1_000_000);
        }
    }

    /** Deletes one file of the report store; one that is gone already counts as deleted. */
    @FunctionalInterface
    public interface Files {
        void delete(String name) throws IOException;
    }
}
