package millrace.processor.ledger.commit;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Creates the clients of Kafka Streams, and derives from their calls when Streams commits, since it has no listener for
 * that. All assumptions about the internals of Streams are here. {@code LedgerClientSupplierIT} fails where a version
 * of Streams behaves differently: <ul> <li>A stream thread has one producer and one transaction, for all of its tasks.
 * <li>It commits by {@code flush}, maybe several times, and then {@code commitTransaction}, both in the stream thread.
 * <li>Where a transaction cannot be committed, it aborts it or closes its producer, in the stream thread. <li>It
 * commits what a step asked for, and runs the steps' punctuations, between two calls of {@code poll}. </ul>
 */
public final class LedgerClientSupplier implements KafkaClientSupplier {
    private final ThreadLocal<CommitPace> paces;

    public LedgerClientSupplier() {
        this(() -> new CommitPace(System::nanoTime));
    }

    /** @param newPace for a stream thread */
    LedgerClientSupplier(Supplier<CommitPace> newPace) {
        this.paces = ThreadLocal.withInitial(newPace);
    }

    /** The pace of the calling stream thread, which its clients keep up to date. */
    public CommitPace pace() {
        return paces.get();
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()) {
            /** The first that Streams does when it commits, for each task. */
            @Override
            public void flush() {
                pace().begins();
                super.flush();
            }

            @Override
            public void commitTransaction() {
                super.commitTransaction();
                pace().ends();
            }

            @Override
            public void abortTransaction() {
                pace().aborted();
                super.abortTransaction();
            }

            @Override
            public void close(Duration timeout) {
                pace().aborted();
                super.close(timeout);
            }
        };
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
            @Override
            public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                return super.poll(pace().atMost(timeout));
            }
        };
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
