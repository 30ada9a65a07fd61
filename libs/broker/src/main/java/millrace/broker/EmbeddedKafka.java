package millrace.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * One Kafka node, broker and controller in one (KRaft), with its log in a folder: starts in about 2 s, goes on where the
 * last run stopped. Listens on loopback only.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int NODE_ID = 1;
    private static final String CLUSTER_ID_FILE = "cluster-id";
    /** After a kill -9 the restarted broker takes its place again when the session of the dead one has ended. */
    private static final String SESSION_OF_THE_DEAD = "1500";

    private final KafkaRaftServer server;
    private final int port;
    private final PreviousBroker ofTheNext;
    private final LostRecordsCheck lost;

    private EmbeddedKafka(KafkaRaftServer server, int port, PreviousBroker ofTheNext, LostRecordsCheck lost) {
        this.server = server;
        this.port = port;
        this.ofTheNext = ofTheNext;
        this.lost = lost;
    }

    /** Starts on a port that is free now. */
    public static EmbeddedKafka start(Path folder) throws IOException {
        return start(folder, 0, Map.of());
    }

    /**
     * Starts and waits until the broker serves.
     *
     * @param folder made and formatted where it does not exist
     * @param port 0 for any that is free
     * @param overrides broker properties that win over the ones chosen here; with {@code node.id}, {@code
     *     controller.quorum.voters} and {@code listeners} it is one node of several, whose folders hold the same {@code
     *     cluster-id}
     * @throws IOException where the folder cannot be written
     */
    public static EmbeddedKafka start(Path folder, int port, Map<String, String> overrides) throws IOException {
        Path log = Files.createDirectories(folder.resolve("log"));
        int brokerPort = port == 0 ? freePort() : port;
        var properties = new Properties();
        properties.putAll(properties(log, brokerPort, freePort()));
        properties.putAll(overrides);
        format(log, clusterId(folder), Integer.parseInt(properties.getProperty("node.id")));
        LogDirFailure.reportOnExit(log);
        var predecessor = new PreviousBroker(folder);
        LostRecordsCheck lost = LostRecordsCheck.before(folder, log);
        // Where there are others, they have fenced it, and lead what it led.
        boolean alone = !properties.getProperty("controller.quorum.voters").contains(",");
        if (alone && predecessor.wasKilled()) {
            predecessor.fence(controllerOnly(properties));
        }
        var server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        server.startup();
        predecessor.started();
        lost.tell();
        return new EmbeddedKafka(server, brokerPort, predecessor, lost);
    }

    /** {@code host:port} for clients. */
    public String bootstrapServers() {
        return HOST + ":" + port;
    }

    @Override
    public void close() {
        Long end = LostRecordsCheck.metadataEnd();
        server.shutdown();
        server.awaitShutdown();
        LostRecordsCheck.forgetMetrics();
        try {
            if (end != null) {
                lost.remember(end);
            }
            ofTheNext.stopped();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same node without its broker. */
    private static Properties controllerOnly(Properties both) {
        var controller = new Properties();
        controller.putAll(both);
        controller.put("process.roles", "controller");
        controller.put("broker.session.timeout.ms", SESSION_OF_THE_DEAD);
        // Of no use to a controller alone, but Kafka compares the two.
        controller.put("broker.heartbeat.interval.ms", "500");
        controller.put(
                "listeners",
                "CONTROLLER://" + both.getProperty("controller.quorum.voters").split("@", 2)[1]);
        return controller;
    }

    private static Map<String, String> properties(Path log, int brokerPort, int controllerPort) {
        Map<String, String> p = new HashMap<>();
        p.put("process.roles", "broker,controller");
        p.put("node.id", Integer.toString(NODE_ID));
        p.put("controller.quorum.voters", NODE_ID + "@" + HOST + ":" + controllerPort);
        p.put("listeners", "PLAINTEXT://" + HOST + ":" + brokerPort + ",CONTROLLER://" + HOST + ":" + controllerPort);
        p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.put("controller.listener.names", "CONTROLLER");
        p.put("log.dirs", log.toString());
        p.put("auto.create.topics.enable", "false");
        p.put("offsets.topic.replication.factor", "1");
        p.put("transaction.state.log.replication.factor", "1");
        p.put("share.coordinator.state.topic.replication.factor", "1");
        // 50 partitions each by default, which makes the first start slow.
        p.put("offsets.topic.num.partitions", "4");
        p.put("transaction.state.log.num.partitions", "4");
        p.put("share.coordinator.state.topic.num.partitions", "4");
        p.put("transaction.state.log.min.isr", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
        // Every member keeps its identity (group.instance.id), so there is nobody to wait for.
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("group.min.session.timeout.ms", "1000");
        // Longer than any record is kept: a group that has lost its offsets does not know what it has done.
        p.put("offsets.retention.minutes", Long.toString(Duration.ofDays(400).toMinutes()));
        // Nobody else waits for this broker's heartbeats; but its controller logs an error where one has waited in its
        // queue for half of the interval, as it does while a busy machine makes topics.
        p.put("broker.session.timeout.ms", "15000");
        p.put("broker.heartbeat.interval.ms", "5000");
        // An open transaction of a dead producer blocks readers until it is swept.
        p.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
        // The default takes 128 MiB of heap.
        p.put("log.cleaner.dedupe.buffer.size", "2097152");
        // A folder of a small machine: the default of 10 MiB per index is preallocated.
        p.put("log.index.size.max.bytes", "1048576");
        p.put("num.network.threads", "2");
        p.put("num.io.threads", "4");
        p.put("message.max.bytes", Integer.toString(4 * 1024 * 1024));
        return p;
    }

    private static void format(Path log, String clusterId, int nodeId) throws IOException {
        try {
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setClusterId(clusterId)
                    .setNodeId(nodeId)
                    .setControllerListenerName("CONTROLLER")
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setIgnoreFormatted(true)
                    .setMetadataLogDirectory(log.toString())
                    .addDirectory(log.toString())
                    .run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot format the Kafka log in " + log, e);
        }
    }

    private static String clusterId(Path folder) throws IOException {
        Path file = folder.resolve(CLUSTER_ID_FILE);
        if (!Files.exists(file)) {
            Files.writeString(file, Uuid.randomUuid().toString());
        }
        return Files.readString(file).strip();
    }

    /** The port is free now; somebody else may take it before the broker does, which then fails to start. */
    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
