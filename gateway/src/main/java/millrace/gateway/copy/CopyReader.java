package millrace.gateway.copy;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.topics.Topic;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.kafka.TailedTopics;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics into a store that is a copy of them: from where its rows end, or from the beginning if they do not fit the
 * topics. After a failure the store is opened again, and reading goes on with the offsets that it has.
 */
public abstract class CopyReader implements AutoCloseable {
    /** Between two polls of a copy that hardly anybody waits for. A poll costs more than many of its records. */
    protected static final Duration RARE_POLLS = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(CopyReader.class);
    private static final Duration SAY_EVERY = Duration.ofSeconds(10);

    private final KafkaSettings kafka;
    private final TopicTailer tailer;
    private final Copy copy;
    private final TailedTopics topics;
    private volatile Progress progress = Progress.NONE;

    // Of the tailer's thread
    private Map<TopicPartition, OffsetAndMetadata> positions = Map.of();
    private Map<TopicPartition, Long> begin = Map.of();
    private Map<TopicPartition, Long> ends = Map.of();
    private long beganAt;
    private long saidAt;

    /**
     * What is copied.
     *
     * @param name of the store, in logs
     * @param first topics that are read to their end before any of {@code then}
     * @param rows topics that the rows follow from; the others are read again at each start
     */
    public record Copy(String name, LocalStore store, List<Topic<?>> first, List<Topic<?>> then, List<Topic<?>> rows) {}

    /**
     * Kafka, while a store is opened.
     *
     * @param first the first offset of each partition that may be read
     * @param topics those that the rows follow from
     */
    protected record Opening(
            Admin admin, Consumer<String, byte[]> consumer, Map<TopicPartition, Long> first, CopiedTopics topics) {}

    /**
     * How much has been read of what there was when reading began.
     *
     * @param begun false before the first records
     */
    public record Progress(boolean begun, long recordsRead, long recordsLeft, long millis) {
        public static final Progress NONE = new Progress(false, 0, 0, 0);

        public boolean done() {
            return begun && recordsLeft == 0;
        }

        /** From 0 to 1. */
        public double part() {
            return done() ? 1 : (double) recordsRead / Math.max(1, recordsRead + recordsLeft);
        }

        /** Until all is read at the speed so far; null while that is not known. */
        public @Nullable Long secondsLeft() {
            return recordsRead <= 0 ? null : millis * recordsLeft / recordsRead / 1000;
        }
    }

    @SuppressWarnings("this-escape") // nothing is called before the start
    protected CopyReader(KafkaSettings kafka, TopicTailer tailer, Copy copy) {
        this.kafka = kafka;
        this.tailer = tailer;
        this.copy = copy;
        this.topics = tailer.add(copy.first(), copy.then(), new RowsEnd(), this::foldPoll);
    }

    /** Called before the ends of the partitions are read. */
    protected void beforeEnds(Admin admin) {}

    /**
     * Opens the store, and empties it if it does not fit the topics.
     *
     * @throws StoreException if it cannot be opened
     * @throws IOException if a store that does not fit cannot be deleted
     */
    protected abstract CopiedTopics.Opened open(Opening opening) throws IOException;

    /** Where reading begins in partitions that have no position. Those that have neither are not read. */
    protected Map<TopicPartition, Long> beginning(Opening opening, Map<TopicPartition, OffsetAndMetadata> opened) {
        return opening.first();
    }

    /**
     * Folds records into the store.
     *
     * @param read the offsets after these records, which are written with the rows
     * @param next the consumer's offsets, those of partitions that have not moved may be missing
     */
    protected abstract void fold(
            ConsumerRecords<String, byte[]> records,
            Map<TopicPartition, OffsetAndMetadata> read,
            Map<TopicPartition, Long> next);

    protected void progressed(Progress newest) {}

    public void start() {
        tailer.start();
    }

    /** Whether every record that existed at the start has been folded, and the rows can be used. */
    public boolean caughtUp() {
        return topics.caughtUp() && progress.done() && !copy.store().damaged();
    }

    /** Whether the copy is up to date: it has caught up, and has not fallen behind or stopped since. */
    public boolean current() {
        return caughtUp() && topics.isNearEnd();
    }

    /** How much is to be read, while it is; empty if reading has not begun, and once caught up. */
    public Optional<Progress> left() {
        Progress now = progress;
        return now.begun() && !now.done() ? Optional.of(now) : Optional.empty();
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

    /** Reading begins where the rows end. */
    private final class RowsEnd implements TopicTailer.Beginning {
        @Override
        public Map<TopicPartition, Long> offsets(
                Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions) {
            progress(Progress.NONE);
            beganAt = System.nanoTime();
            saidAt = beganAt;
            try (Admin admin = Admin.create(kafka.clientConfig())) {
                beforeEnds(admin);
                Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
                ends = new HashMap<>(consumer.endOffsets(partitions));
                var opening = new Opening(admin, consumer, first, CopiedTopics.ask(admin, copy.rows(), first, ends));
                CopiedTopics.Opened opened = open(opening);
                positions = opened.positions();
                begin = new HashMap<>(beginning(opening, positions));
                positions.forEach((partition, position) -> begin.put(partition, position.offset()));
                ends.keySet().retainAll(begin.keySet());
                if (opened.rebuilt() != null) {
                    LOG.info("{} built from the topics reason=\"{}\"", copy.name(), opened.rebuilt());
                }
                return begin;
            } catch (StoreException | IOException e) {
                throw new TopicTailer.StartOver(
                        "the files of the " + copy.name() + " cannot be opened: " + e.getMessage(), e);
            }
        }

        @Override
        public Optional<Integer> epoch(TopicPartition partition) {
            OffsetAndMetadata position = positions.get(partition);
            return position == null ? Optional.empty() : position.leaderEpoch();
        }
    }

    /** @throws TopicTailer.StartOver if the records were not folded, or it is not known whether they were */
    void foldPoll(ConsumerRecords<String, byte[]> records, Map<TopicPartition, Long> next) {
        try {
            String diverged = ReadOffsets.diverged(positions, records, next);
            if (diverged != null) {
                throw copy.store().distrust(diverged);
            }
            Map<TopicPartition, OffsetAndMetadata> read = ReadOffsets.after(records, copy.rows());
            fold(records, read, next);
            positions = ReadOffsets.moved(positions, read);
        } catch (RuntimeException e) {
            progress(Progress.NONE);
            throw startOver(e);
        }
        if (!progress.done()) {
            said(left(begin), left(next));
        }
    }

    private TopicTailer.StartOver startOver(RuntimeException failure) {
        return switch (failure) {
            case TopicTailer.StartOver e -> e;
            case StoreException e ->
                new TopicTailer.StartOver("the files of the " + copy.name() + " cannot be used: " + e.getMessage(), e);
            default -> {
                LOG.error("records not folded into the {}", copy.name(), failure);
                yield new TopicTailer.StartOver(
                        "records cannot be folded into the " + copy.name() + ": " + failure, failure);
            }
        };
    }

    private long left(Map<TopicPartition, Long> next) {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - next.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    private void said(long all, long left) {
        long now = System.nanoTime();
        progress(new Progress(true, all - left, left, (now - beganAt) / 1_000_000));
        if (left == 0) {
            LOG.info(
                    "{} complete millis={} bytes={}",
                    copy.name(),
                    progress.millis(),
                    copy.store().bytes());
        } else if (now - saidAt > SAY_EVERY.toNanos()) {
            saidAt = now;
            LOG.info(
                    "{} being read recordsLeft={} secondsLeft={} percent={}",
                    copy.name(),
                    left,
                    progress.secondsLeft(),
                    (int) (100 * progress.part()));
        }
    }

    private void progress(Progress newest) {
        progress = newest;
        progressed(newest);
    }
}
