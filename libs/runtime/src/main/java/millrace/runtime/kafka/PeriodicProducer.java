package millrace.runtime.kafka;

import java.time.Duration;
import java.util.Map;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes small records again and again, of which only the newest are worth sending: what Kafka does not take within 4 s
 * is dropped, and at most 256 KiB wait for it.
 */
public final class PeriodicProducer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicProducer.class);
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int REQUEST_MILLIS = 2_000;
    private static final Duration CLOSING = Duration.ofMillis(500);

    private final Producer<String, byte[]> producer;

    public PeriodicProducer(Producer<String, byte[]> producer) {
        this.producer = producer;
    }

    /** @param purpose part of the client's id */
    public static PeriodicProducer open(KafkaSettings kafka, String purpose) {
        Map<String, Object> config = kafka.producerConfig(purpose);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_MILLIS);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * REQUEST_MILLIS);
        return new PeriodicProducer(new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer()));
    }

    @FunctionalInterface
    public interface Step {
        /** Sends what there is to send, and returns the pause until the next step. */
        Duration run(Producer<String, byte[]> producer);
    }

    /** Runs the step until the thread is interrupted, and takes the interrupt back, so that closing can wait. */
    public void run(Step step) {
        try {
            while (!Thread.interrupted()) {
                Thread.sleep(step.run(producer));
            }
        } catch (InterruptedException | InterruptException e) {
            LOG.debug("periodic writing ends");
        } finally {
            if (Thread.interrupted()) {
                LOG.debug("closing goes on without the interrupt");
            }
        }
    }

    public Producer<String, byte[]> producer() {
        return producer;
    }

    /** Waits for at most 500 ms for what was sent. */
    @Override
    public void close() {
        producer.close(CLOSING);
    }
}
