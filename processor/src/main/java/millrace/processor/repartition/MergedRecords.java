package millrace.processor.repartition;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records of all partitions of a topic in one order: by level, then by time. Records of one partition keep theirs.
 * Not thread-safe.
 */
final class MergedRecords {
    private static final Duration POLL = Duration.ofMillis(100);
    /** For all partitions together, beside what the consumer holds. */
    private static final long BUFFER_BYTES = 32L << 20;

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> ends;
    private final Map<TopicPartition, ArrayDeque<ConsumerRecord<byte[], byte[]>>> buffers = new HashMap<>();
    private final Map<TopicPartition, Long> bytes = new HashMap<>();
    /** Partitions that may have more and have no record in the heap. */
    private final Set<TopicPartition> awaited;

    private final PriorityQueue<ConsumerRecord<byte[], byte[]>> heads;
    private final long most;
    private final Stall stall;

    /** The level of a record. */
    @FunctionalInterface
    interface Level {
        int of(int partition, long offset);
    }

    /**
     * @param consumer of whole partitions; it has none yet
     * @param ends behind the last record of each partition
     */
    MergedRecords(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends, Level level) {
        this.consumer = consumer;
        this.ends = ends;
        this.awaited = new HashSet<>(ends.keySet());
        this.most = BUFFER_BYTES / Math.max(1, ends.size());
        this.heads = new PriorityQueue<>(Comparator.<ConsumerRecord<byte[], byte[]>>comparingInt(
                        record -> level.of(record.partition(), record.offset()))
                .thenComparingLong(ConsumerRecord::timestamp)
                .thenComparingInt(ConsumerRecord::partition));
        this.stall = new Stall(ends.keySet());
        consumer.assign(ends.keySet());
        consumer.seekToBeginning(ends.keySet());
    }

    /**
     * The next record; null behind the last one.
     *
     * @throws RepartitionException if Kafka gives none for a minute
     */
    @Nullable
    ConsumerRecord<byte[], byte[]> next() {
        while (!awaited.isEmpty() && !settle()) {
            fill();
        }
        ConsumerRecord<byte[], byte[]> next = heads.poll();
        if (next != null) {
            awaited.add(partition(next));
        }
        return next;
    }

    /** Whether each partition has its next record in the heap, or has no more. */
    private boolean settle() {
        awaited.removeIf(partition -> {
            var buffer = buffers.computeIfAbsent(partition, p -> new ArrayDeque<>());
            ConsumerRecord<byte[], byte[]> head = buffer.poll();
            if (head != null) {
                bytes.merge(partition, -(long) size(head), Long::sum);
                heads.add(head);
                return true;
            }
            return consumer.position(partition) >= Objects.requireNonNull(ends.get(partition));
        });
        return awaited.isEmpty();
    }

    private void fill() {
        Set<TopicPartition> full = new HashSet<>();
        bytes.forEach((partition, size) -> {
            if (size >= most) {
                full.add(partition);
            }
        });
        Set<TopicPartition> resumed = new HashSet<>(consumer.paused());
        resumed.removeAll(full);
        consumer.pause(full);
        consumer.resume(resumed);
        var records = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : records) {
            TopicPartition partition = partition(record);
            if (record.offset() < Objects.requireNonNull(ends.get(partition))) {
                buffers.computeIfAbsent(partition, p -> new ArrayDeque<>()).add(record);
                bytes.merge(partition, (long) size(record), Long::sum);
            }
        }
        stall.check(consumer);
    }

    private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    private static int size(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }
}
