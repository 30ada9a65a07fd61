package millrace.gateway.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import millrace.contracts.topics.Topic;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads records by their offsets, which the models in memory refer to. One caller at a time. */
public final class RecordLookup implements AutoCloseable {
    /** Records that are read and skipped rather than sought over. */
    private static final long MAX_SKIPPED = 500;

    private final ReentrantLock lock = new ReentrantLock();
    private final KafkaSettings kafka;
    private final String purpose;
    private @Nullable Consumer<String, byte[]> consumer;

    /** @param purpose part of the client's id */
    public RecordLookup(KafkaSettings kafka, String purpose) {
        this.kafka = kafka;
        this.purpose = purpose;
    }

    /**
     * The messages at these offsets. Offsets whose record has been deleted are left out.
     *
     * @throws TimeoutException where Kafka does not answer in time
     */
    public <V> Map<Long, V> read(Topic<V> topic, int partition, Iterable<Long> offsets, Duration timeout) {
        var wanted = new TreeSet<Long>();
        offsets.forEach(wanted::add);
        lock.lock();
        try {
            if (consumer == null) {
                consumer = open();
            }
            return read(consumer, topic, new TopicPartition(topic.name(), partition), wanted, timeout);
        } finally {
            lock.unlock();
        }
    }

    private static <V> Map<Long, V> read(
            Consumer<String, byte[]> from,
            Topic<V> topic,
            TopicPartition partition,
            SortedSet<Long> wanted,
            Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        Map<Long, V> found = new HashMap<>();
        from.assign(List.of(partition));
        long position = Long.MIN_VALUE;
        while (!wanted.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new TimeoutException(topic.name() + " could not be read within " + timeout);
            }
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

    @Override
    public void close() {
        lock.lock();
        try {
            if (consumer != null) {
                consumer.close(CloseOptions.timeout(Duration.ZERO)); // as in TopicTailer
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
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-" + purpose);
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }
}
