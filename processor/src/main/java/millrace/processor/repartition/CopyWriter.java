package millrace.processor.repartition;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import millrace.contracts.topics.Topic;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes an empty topic. The offset of a record is known before it is sent, since nobody else writes, and no transaction
 * takes offsets: the number of records before it in its partition. Not thread-safe.
 */
final class CopyWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 20;
    private static final int BATCH_BYTES = 256 << 10;
    private static final int LINGER_MILLIS = 20;
    /** How long brokers may be unavailable. */
    private static final int DELIVERY_MILLIS = 120_000;

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final long[] next;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final RecordSums sums = new RecordSums();

    CopyWriter(KafkaSettings kafka, String topic, int partitions) {
        Map<String, Object> config = kafka.producerConfig("repartition");
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        config.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 2 * Topic.MAX_MESSAGE_BYTES);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, DELIVERY_MILLIS);
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.topic = topic;
        this.next = new long[partitions];
    }

    /** Returns the record's offset. It is written at some time before {@link #finish} returns. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the outcome
    long write(int partition, byte @Nullable [] key, byte @Nullable [] value, Headers headers, long timestamp) {
        check();
        long offset = next[partition]++;
        sums.add(partition, key, value, headers, timestamp);
        producer.send(new ProducerRecord<>(topic, partition, timestamp, key, value, headers), (written, error) -> {
            if (error != null) {
                failure.compareAndSet(null, error);
            } else if (written.offset() != offset) {
                failure.compareAndSet(null, new RepartitionException("somebody else writes to " + topic));
            }
        });
        return offset;
    }

    /** Of what was written. */
    RecordSums sums() {
        return sums;
    }

    /** The offset behind the last record. */
    long end(int partition) {
        return next[partition];
    }

    /** Returns when all in-sync replicas have all records. */
    void finish() {
        producer.flush();
        check();
    }

    private void check() {
        Exception error = failure.get();
        if (error != null) {
            throw error instanceof RepartitionException known
                    ? known
                    : new KafkaException("records were not written to " + topic + ": " + error, error);
        }
    }

    /** What is not written by now, is not. */
    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
