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
import org.apache.kafka.common.utils.Time;

/**
 * The broker that ran before in the same folder. If it was killed, the cluster's metadata still call it alive and leader of
 * everything when its successor starts. The successor would at first act on that, and finish the transactions that were being
 * committed; then its registration fences the predecessor, no partition has a leader for a moment, and Kafka 4.3.1 takes such
 * partitions for deleted, leaves out their commit markers, and calls the transactions complete. They stay open for ever, and
 * hold back everybody who reads what is committed. So the controller alone notices the death first.
 */
final class PreviousBroker {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final Path running;

    PreviousBroker(Path folder) {
        this.running = folder.resolve("running");
    }

    /** Whether it did not stop in peace. */
    boolean wasKilled() {
        return Files.exists(running);
    }

    /**
     * Runs the controller alone until it has fenced the dead broker.
     *
     * @param controller properties of a node that is nothing but the controller
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

    /** From now on, until {@link #stopped}, a death is a kill. */
    void started() throws IOException {
        if (!wasKilled()) {
            Files.createFile(running);
        }
    }

    void stopped() throws IOException {
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

    /** A metric of the controller; -1 where it does not know yet. */
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
