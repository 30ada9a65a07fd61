package millrace.processor.ledger.streams.internals;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the clients of Kafka Streams, and derives from their calls when Streams commits, because Streams has no
 * listener for that. They also send what a thread keeps back until its commit. It assumes this of Streams:
 *
 * <ul>
 *   <li>A stream thread has one producer and one transaction, for all of its tasks.
 *   <li>It commits by {@code flush}, maybe several times, and then {@code commitTransaction}, both in the stream thread.
 *   <li>If a transaction cannot be committed, it aborts it or closes its producer, in the stream thread.
 *   <li>It commits what a step asked for, and runs the punctuations of the steps, between two calls of {@code poll},
 *       also if one returns nothing without having polled.
 *   <li>If the consumer of a changelog says that an offset is out of range, it discards the state of that task and reads
 *       it again.
 * </ul>
 */
public final class LedgerClientSupplier implements KafkaClientSupplier {
    /**
     * The oldest state that is read on from its place in the changelog; what is older is read from the beginning.
     * Tombstones are kept for twice as long.
     */
    public static final Duration OLDEST_STATE = Duration.ofMinutes(30);

    private static final Logger LOG = LoggerFactory.getLogger(LedgerClientSupplier.class);

    private final Supplier<? extends StreamThreadListener> listener;
    private final InstantSource wall;

    /**
     * @param listener returns that of the calling stream thread
     * @param wall the wall clock, which also goes on while a machine is suspended
     */
    public LedgerClientSupplier(Supplier<? extends StreamThreadListener> listener, InstantSource wall) {
        this.listener = listener;
        this.wall = wall;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new LedgerProducer(config);
    }

    private final class LedgerProducer extends KafkaProducer<byte[], byte[]> {
        private boolean open;

        LedgerProducer(Map<String, Object> config) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public void beginTransaction() {
            super.beginTransaction();
            open = true;
        }

        /** The first that Streams does when it commits, for each task; also before it closes a task whose work is lost. */
        @Override
        public void flush() {
            if (open) {
                try {
                    committing();
                } catch (KafkaException e) {
                    throw fenced(e) ? new TaskMigratedException("the producer was fenced before a commit", e) : e;
                }
            }
            super.flush();
        }

        @Override
        public void commitTransaction() {
            committing();
            listener.get().ending();
            super.commitTransaction();
            open = false;
            listener.get().committed();
        }

        private void committing() {
            listener.get().committing(this::send);
        }

        /** Another one has this thread's tasks; Streams looks for these errors in what it sends itself. */
        private static boolean fenced(KafkaException error) {
            return isFencing(error) || isFencing(error.getCause());
        }

        private static boolean isFencing(@Nullable Throwable error) {
            return error instanceof ProducerFencedException
                    || error instanceof InvalidProducerEpochException
                    || error instanceof InvalidPidMappingException
                    || error instanceof UnknownProducerIdException;
        }

        /** A record that is refused later makes the commit fail. */
        private void send(String topic, Record<String, byte[]> record) {
            var unused = send(new ProducerRecord<>(
                    topic,
                    null,
                    record.timestamp(),
                    record.key().getBytes(StandardCharsets.UTF_8),
                    record.value(),
                    record.headers()));
        }

        @Override
        public void abortTransaction() {
            aborted();
            super.abortTransaction();
        }

        @Override
        public void close(Duration timeout) {
            aborted();
            super.close(timeout);
        }

        private void aborted() {
            open = false;
            listener.get().aborted();
        }
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new CommandConsumer(config);
    }

    private final class CommandConsumer extends KafkaConsumer<byte[], byte[]> {
        CommandConsumer(Map<String, Object> config) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            StreamThreadListener thread = listener.get();
            thread.readBy(this::end);
            return thread.awaitAnswers() ? ConsumerRecords.empty() : super.poll(thread.poll(timeout));
        }

        /** The last stable offset of the last fetch, which no request is needed for. */
        private long end(TopicPartition partition) {
            if (!assignment().contains(partition)) {
                return StreamThreadListener.UNKNOWN;
            }
            OptionalLong lag = currentLag(partition);
            return lag.isEmpty() ? StreamThreadListener.UNKNOWN : position(partition) + lag.getAsLong();
        }
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new ChangelogConsumer(config);
    }

    /** Reads state anew that may be too old to go on with; Streams does so if the log has been truncated. */
    private final class ChangelogConsumer extends KafkaConsumer<byte[], byte[]> {
        private final ChangelogGap gap = new ChangelogGap(OLDEST_STATE);

        ChangelogConsumer(Map<String, Object> config) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public void assign(Collection<TopicPartition> partitions) {
            gap.assigned(assignment());
            super.assign(partitions);
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            Set<TopicPartition> assigned = assignment();
            if (gap.isTooLong(wall.instant(), assigned)) {
                LOG.warn("ledger stood still, copies of its state are read anew longerThan={}", OLDEST_STATE);
                Map<TopicPartition, Long> all = new HashMap<>();
                assigned.forEach(partition -> all.put(partition, position(partition)));
                throw new OffsetOutOfRangeException("tombstones may be missing", all);
            }
            return super.poll(timeout);
        }
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
