package millrace.gateway;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.gateway.accounts.FileAccounts;
import millrace.gateway.admission.Pace;
import millrace.gateway.model.ModelReader;
import millrace.gateway.model.ReadModel;
import millrace.runtime.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/** Asks Kafka twice a second whether it is there, so that readiness is an answer from memory and at most 2 s old. */
@Singleton
public final class KafkaWatch {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final int ANSWER_WITHIN_MILLIS = 1000;
    private static final Duration STALE = Duration.ofSeconds(2);

    private final KafkaSettings kafka;
    private final ModelReader reader;
    private final ReadModel model;
    private final FileAccounts opening;
    private final Pace pace;
    private final InstantSource clock;
    private final Thread thread;
    private volatile boolean leaving;
    private volatile Instant seen = Instant.MIN;

    KafkaWatch(
            KafkaSettings kafka,
            ModelReader reader,
            ReadModel model,
            FileAccounts opening,
            Pace pace,
            InstantSource clock) {
        this.kafka = kafka;
        this.reader = reader;
        this.model = model;
        this.opening = opening;
        this.pace = pace;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("kafka-watch").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Whether Kafka answers. */
    public boolean kafkaThere() {
        return clock.instant().minus(STALE).isBefore(seen);
    }

    /**
     * Whether requests can be served: Kafka answers, what it holds has been read and is being read, and no account waits for its opening
     * credits, so that a first request is not refused for the lack of them.
     */
    public boolean ready() {
        return !leaving && reader.current() && kafkaThere() && opening.granted();
    }

    /** It is not ready any more. */
    void leave() {
        leaving = true;
    }

    @PreDestroy
    void stop() {
        thread.interrupt();
    }

    private void run() {
        Map<String, Object> config = kafka.clientConfig();
        config.put("client.id", kafka.instanceId() + "-watch");
        config.put("reconnect.backoff.max.ms", 500);
        try (Admin admin = Admin.create(config)) {
            while (!Thread.interrupted()) {
                ask(admin);
                pace.sample(clock.instant(), model.ended());
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(Admin admin) throws InterruptedException {
        try {
            Instant asked = clock.instant();
            admin.describeCluster(new DescribeClusterOptions().timeoutMs(ANSWER_WITHIN_MILLIS))
                    .nodes()
                    .get(ANSWER_WITHIN_MILLIS, TimeUnit.MILLISECONDS);
            seen = asked;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            // Not there: the last time that it was seen says so.
        }
    }
}
