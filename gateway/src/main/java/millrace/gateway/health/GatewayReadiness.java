package millrace.gateway.health;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.gateway.admission.CompletionRate;
import millrace.gateway.readmodel.ReadModel;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.management.DiskSpaceMonitor;

/** Whether this gateway can serve, as an answer from memory; and a look at its pace twice a second. */
@Singleton
public final class GatewayReadiness {
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final KafkaAvailability probe;
    private final TopicReaders readers;
    private final ReadModel model;
    private final AccountsFileImport opening;
    private final CompletionRate pace;
    private final DiskSpaceMonitor disk;
    private final InstantSource clock;
    private final Thread thread;
    private volatile boolean leaving;

    GatewayReadiness(
            KafkaAvailability probe,
            TopicReaders readers,
            ReadModel model,
            AccountsFileImport opening,
            CompletionRate pace,
            DiskSpaceMonitor disk,
            InstantSource clock) {
        this.probe = probe;
        this.readers = readers;
        this.model = model;
        this.opening = opening;
        this.pace = pace;
        this.disk = disk;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("kafka-watch").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Whether Kafka answers. */
    public boolean kafkaThere() {
        return probe.there();
    }

    /** Whether there is room for the files of new reports. */
    public boolean diskEnough() {
        return disk.enough();
    }

    /**
     * Whether requests can be served: Kafka answers, reports and accounts have been read and are being read, no account waits for its opening
     * credits, so that a first request is not refused for the lack of them, and there is room on the disk.
     */
    public boolean ready() {
        return !leaving && readers.current() && kafkaThere() && opening.granted() && diskEnough();
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
        try {
            while (!Thread.interrupted()) {
                pace.sample(clock.instant(), model.ended());
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
