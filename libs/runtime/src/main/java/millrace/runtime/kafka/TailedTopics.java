package millrace.runtime.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topics that a {@link TopicTailer} reads with one beginning and one fold. What they say of themselves does not depend on
 * the other topics of the tailer. Questions are safe for use by many threads.
 */
public final class TailedTopics {
    private static final Logger LOG = LoggerFactory.getLogger(TailedTopics.class);
    /**
     * How often the consumer is asked about each partition, for the lag and for positions that were reset since their
     * records were deleted.
     */
    private static final Duration SURVEY_PERIOD = Duration.ofMillis(500);
    /**
     * By then the consumer has fetched once from each partition, which takes {@link TopicTailer#FETCH_WAIT_MILLIS} if
     * there are no records. Before, it would send a request for each of them to know the lag.
     */
    private static final Duration FIRST_SURVEY = Duration.ofSeconds(2);

    /** Of a poll after which more are likely to be there. */
    private static final int MANY_RECORDS = TopicTailer.MOST_RECORDS / 2;

    private final List<String> first;
    private final List<String> all;
    private final TopicTailer.Beginning beginning;
    private final TopicTailer.BatchFold fold;
    private final FoldedOffsets offsets;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final LagCheck lagCheck = new LagCheck(System::nanoTime);
    private volatile int partitions;

    // Of the tailer's thread
    /** Up to where there are records at least. */
    private Map<TopicPartition, Long> targets = Map.of();
    /** Whether the current consumer reads them. */
    private boolean assigned;
    /** Whether the current consumer has reached all targets. */
    private boolean read;

    private long againAt;
    private long surveyDueAt;
    /** As of the last survey. */
    private long lag;

    TailedTopics(
            List<Topic<?>> first,
            List<Topic<?>> then,
            TopicTailer.Beginning beginning,
            TopicTailer.BatchFold fold,
            FoldedOffsets offsets) {
        this.first = first.stream().<String>map(Topic::name).toList();
        this.all = Stream.concat(first.stream(), then.stream())
                .<String>map(Topic::name)
                .toList();
        this.beginning = beginning;
        this.fold = fold;
        this.offsets = offsets;
    }

    /** Whether every record that existed at the start has been folded. */
    public boolean caughtUp() {
        return caughtUp.getCount() == 0;
    }

    /**
     * Whether the tailer was within 10 000 records of the end of these topics less than 2 s ago, as far as the consumer
     * knows.
     */
    public boolean isNearEnd() {
        return lagCheck.isSmall();
    }

    /** Returns false if it takes longer. */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return caughtUp.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Partitions of each topic; 0 before they are known. */
    public int partitions() {
        return partitions;
    }

    // For the tailer

    boolean has(Collection<String> topics) {
        return all.stream().anyMatch(topics::contains);
    }

    boolean isAssigned() {
        return assigned;
    }

    /** Whether the consumer can begin to read them. */
    boolean isDue() {
        return !assigned && System.nanoTime() - againAt >= 0;
    }

    /** The next consumer reads them. */
    void detach() {
        assigned = false;
        againAt = System.nanoTime();
    }

    /** Adds them to what the consumer reads, from where an earlier one of this process stopped. */
    void begin(Consumer<String, byte[]> consumer) {
        if (targets.isEmpty()) {
            Map<TopicPartition, Long> begin = beginning.offsets(consumer, partitionsOf(consumer));
            begin.forEach(offsets::folded);
            targets = new HashMap<>(consumer.endOffsets(begin.keySet()));
        }
        Set<TopicPartition> assignment = new HashSet<>(consumer.assignment());
        assignment.addAll(targets.keySet());
        consumer.assign(assignment);
        targets.keySet().forEach(p -> consumer.seek(p, new OffsetAndMetadata(offsets.of(p), beginning.epoch(p), "")));
        if (!hasReached(first)) {
            consumer.pause(targets.keySet().stream()
                    .filter(partition -> !first.contains(partition.topic()))
                    .toList());
        }
        read = false;
        assigned = true;
    }

    /**
     * Takes them from what the consumer reads.
     *
     * @param startsOver whether the first offsets are determined again
     */
    void leave(Consumer<String, byte[]> consumer, Duration backoff, boolean startsOver) {
        Set<TopicPartition> others = new HashSet<>(consumer.assignment());
        others.removeAll(targets.keySet());
        consumer.assign(others);
        assigned = false;
        againAt = System.nanoTime() + backoff.toNanos();
        if (startsOver) {
            targets = Map.of();
        }
    }

    /**
     * Folds the records of a poll. Returns whether there are likely more to read now. Once all is read, it costs as much
     * as what the poll has advanced in, however many partitions there are.
     */
    boolean fold(Consumer<String, byte[]> consumer, ConsumerRecords<String, byte[]> records) {
        boolean survey = read && System.nanoTime() - surveyDueAt >= 0;
        Map<TopicPartition, Long> next = new HashMap<>();
        if (survey || !read) {
            targets.keySet().forEach(partition -> next.put(partition, consumer.position(partition)));
        } else {
            records.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
            next.keySet().retainAll(targets.keySet());
        }
        // If these are not folded now, the end is not near until they are.
        next.forEach((partition, offset) -> targets.merge(partition, offset, Math::max));
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
            LOG.info("topics read to their end topics={}", this);
        }
        return !read || records.count() >= MANY_RECORDS;
    }

    private void goOn(Consumer<String, byte[]> consumer) {
        boolean next = hasReached(first);
        if (next) {
            consumer.resume(targets.keySet());
        }
        read = next && hasReached(all);
        surveyDueAt = System.nanoTime() + FIRST_SURVEY.toNanos();
    }

    private boolean hasReached(List<String> topics) {
        return targets.entrySet().stream()
                .filter(target -> topics.contains(target.getKey().topic()))
                .allMatch(target -> offsets.hasReached(target.getKey(), target.getValue()));
    }

    private long lag(Consumer<String, byte[]> consumer) {
        return targets.keySet().stream()
                .mapToLong(partition -> consumer.currentLag(partition).orElse(0))
                .sum();
    }

    private List<TopicPartition> partitionsOf(Consumer<String, byte[]> consumer) {
        List<TopicPartition> found = new ArrayList<>();
        for (String topic : all) {
            Collection<PartitionInfo> infos = consumer.partitionsFor(topic);
            if (infos == null || infos.isEmpty()) {
                throw new KafkaException("topic " + topic + " does not exist yet");
            }
            infos.forEach(info -> found.add(new TopicPartition(topic, info.partition())));
            partitions = infos.size();
        }
        return found;
    }

    /** The names of the topics. */
    @Override
    public String toString() {
        return all.toString();
    }
}
