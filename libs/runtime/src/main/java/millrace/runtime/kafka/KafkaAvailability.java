package millrace.runtime.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/**
 * Asks Kafka twice a second whether it answers. The result comes from memory and is at most 2 s
 * old.
 */
public final class KafkaAvailability implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final int ANSWER_WITHIN_MILLIS = 1000;

    private final Thread thread;
    private final Liveness answered = new Liveness(System::nanoTime);

    private KafkaAvailability(KafkaSettings kafka) {
        thread = Thread.ofVirtual().name("kafka-probe").unstarted(() -> run(kafka));
    }

    /** Asks until it is closed, also while Kafka does not answer. */
    public static KafkaAvailability start(KafkaSettings kafka) {
        var availability = new KafkaAvailability(kafka);
        availability.thread.start();
        return availability;
    }

    /** Whether Kafka has answered within the last 2 s. */
    public boolean isAvailable() {
        return answered.isRecent();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run(KafkaSettings kafka) {
        Map<String, Object> config = kafka.clientConfig();
        config.put("client.id", kafka.instanceId() + "-probe");
        config.put("reconnect.backoff.max.ms", 500);
        try (Admin admin = Admin.create(config)) {
            while (!Thread.interrupted()) {
                ask(admin);
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(Admin admin) throws InterruptedException {
        long asked = answered.now();
        try {
            admin.describeCluster(new DescribeClusterOptions().timeoutMs(ANSWER_WITHIN_MILLIS))
                    .nodes()
                    .get(ANSWER_WITHIN_MILLIS, TimeUnit.MILLISECONDS);
            answered.mark(asked);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            // Unavailable: the time of the last answer tells.
        }
    }
}
