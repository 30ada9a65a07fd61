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

/**
 * Decides from memory whether this gateway can serve. Samples the completion rate twice a second.
 */
@Singleton
public final class GatewayReadiness {
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final KafkaAvailability kafka;
    private final TopicReaders readers;
    private final ReadModel model;
    private final AccountsFileImport fileImport;
    private final CompletionRate completionRate;
    private final DiskSpaceMonitor disk;
    private final InstantSource clock;
    private final Thread thread;
    private volatile boolean leaving;

    GatewayReadiness(
            KafkaAvailability kafka,
            TopicReaders readers,
            ReadModel model,
            AccountsFileImport fileImport,
            CompletionRate completionRate,
            DiskSpaceMonitor disk,
            InstantSource clock) {
        this.kafka = kafka;
        this.readers = readers;
        this.model = model;
        this.fileImport = fileImport;
        this.completionRate = completionRate;
        this.disk = disk;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("gateway-readiness").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public boolean kafkaAvailable() {
        return kafka.isAvailable();
    }

    /** Whether there is disk space for the files of new reports. */
    public boolean diskSpaceAvailable() {
        return disk.hasRoomForReports();
    }

    /**
     * Whether requests can be served: Kafka answers, reports and accounts have been read and are up
     * to date, opening credits have been granted, so that no first request is refused for lack of
     * them, and there is disk space.
     */
    public boolean ready() {
        return !leaving && readers.current() && kafkaAvailable() && fileImport.granted() && diskSpaceAvailable();
    }

    /** From now on the gateway is not ready. */
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
                completionRate.sample(clock.instant(), model.ended());
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
