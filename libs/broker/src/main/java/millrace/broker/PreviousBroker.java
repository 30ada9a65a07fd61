package millrace.broker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import millrace.control.ControlFile;
import org.apache.kafka.common.utils.Time;

/**
 * The broker that ran before in the same folder. After a kill, the cluster's metadata still call it
 * alive and leader of everything when its successor starts. The successor would act on that and
 * complete the transactions that were being committed. Then its registration fences the killed
 * broker, no partition has a leader for a moment, and Kafka 4.3.1 treats such partitions as
 * deleted, omits their commit markers, and calls the transactions complete. They stay open for ever
 * and block consumers that read committed records. So the controller runs alone first, until it has
 * fenced the killed broker.
 */
final class PreviousBroker {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final Path running;

    PreviousBroker(Path folder) {
        this.running = folder.resolve("running");
    }

    /** Whether the previous run did not stop in order. */
    boolean wasKilled() {
        return Files.exists(running);
    }

    /**
     * Runs the controller alone until it has fenced the killed broker.
     *
     * @param controller properties of a node that is only a controller
     */
    void fence(Properties controller) throws IOException {
        var server = new KafkaRaftServer(new KafkaConfig(controller, false), Time.SYSTEM);
        server.startup();
        try {
            awaitFenced();
        } finally {
            server.shutdown();
            server.awaitShutdown();
            LostRecordsCheck.forgetMetrics();
        }
    }

    /** Until {@link #markStopped}, the end of the process counts as a kill. */
    void markRunning() throws IOException {
        if (!wasKilled()) {
            ControlFile.write(running, "");
        }
    }

    void markStopped() throws IOException {
        Files.deleteIfExists(running);
    }

    private static void awaitFenced() throws IOException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (brokers("Active") > 0 || brokers("Fenced") == 0) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the controller did not fence the broker that was killed within " + TIMEOUT);
            }
            try {
                Thread.sleep(POLL_INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** The controller's metric of brokers in a state; -1 where there is none yet. */
    private static int brokers(String state) {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            var name = new ObjectName("kafka.controller:type=KafkaController,name=" + state + "BrokerCount");
            return ((Number) beans.getAttribute(name, "Value")).intValue();
        } catch (InstanceNotFoundException e) {
            return -1;
        } catch (JMException e) {
            throw new IllegalStateException("the controller's metrics cannot be read", e);
        }
    }
}
