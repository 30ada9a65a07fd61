package millrace.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
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
import millrace.control.ControlFile;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * One Kafka node, broker and controller in one (KRaft), with its log in a folder. It starts in
 * about 2 s, continues where the last run stopped, and listens on loopback only.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int NODE_ID = 1;
    private static final String CLUSTER_ID_FILE = "cluster-id";
    /** Session timeout of a killed broker, after which its successor can take its place. */
    private static final String KILLED_BROKER_SESSION_MILLIS = "1500";

    private static final int CLEANER_KEYS_BYTES = 16 << 20;
    private static final int CLEANER_BYTES_PER_SECOND = 32 << 20;

    private final KafkaRaftServer server;
    private final int port;
    private final PreviousBroker previousBroker;
    private final LostRecordsCheck lost;

    private EmbeddedKafka(KafkaRaftServer server, int port, PreviousBroker previousBroker, LostRecordsCheck lost) {
        this.server = server;
        this.port = port;
        this.previousBroker = previousBroker;
        this.lost = lost;
    }

    /** Starts on a free port. */
    public static EmbeddedKafka start(Path folder) throws IOException {
        return start(folder, 0, Map.of());
    }

    /**
     * Starts the node. Blocks until the broker serves.
     *
     * @param folder created and formatted where it does not exist
     * @param port 0 for any free port
     * @param overrides broker properties that replace the defaults; with {@code node.id}, {@code
     *     controller.quorum.voters} and {@code listeners} this is one node of several, whose
     *     folders have the same {@code cluster-id}
     * @throws IOException where the folder cannot be written
     */
    public static EmbeddedKafka start(Path folder, int port, Map<String, String> overrides) throws IOException {
        Path log = Files.createDirectories(folder.resolve("log"));
        int brokerPort = port == 0 ? freePort(0) : port;
        var properties = new Properties();
        properties.putAll(properties(log, brokerPort, freePort(brokerPort)));
        properties.putAll(overrides);
        format(log, clusterId(folder, log), Integer.parseInt(properties.getProperty("node.id")));
        LogDirFailure.reportOnExit(log);
        var previousBroker = new PreviousBroker(folder);
        LostRecordsCheck lost = LostRecordsCheck.beforeStart(folder, log);
        // In a cluster, other nodes have fenced the killed broker and lead its partitions.
        boolean alone = !properties.getProperty("controller.quorum.voters").contains(",");
        if (alone && previousBroker.wasKilled()) {
            previousBroker.fence(controllerOnly(properties));
        }
        var server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        server.startup();
        previousBroker.markRunning();
        lost.report();
        return new EmbeddedKafka(server, brokerPort, previousBroker, lost);
    }

    /** {@code host:port} for clients. */
    public String bootstrapServers() {
        return HOST + ":" + port;
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
        LostRecordsCheck.forgetMetrics();
        try {
            lost.writeMetadataEnd();
            previousBroker.markStopped();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The properties of the same node without its broker. */
    private static Properties controllerOnly(Properties both) {
        var controller = new Properties();
        controller.putAll(both);
        controller.put("process.roles", "controller");
        controller.put("broker.session.timeout.ms", KILLED_BROKER_SESSION_MILLIS);
        // Not used by a controller, but Kafka compares it with the session timeout.
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
        // Members are static (group.instance.id), so there is nothing to wait for.
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("group.min.session.timeout.ms", "1000");
        // Longer than any record is kept: a group without offsets does not know what it has done.
        p.put("offsets.retention.minutes", Long.toString(Duration.ofDays(400).toMinutes()));
        // No other node needs this broker's heartbeats, but its controller logs an error where one waits in its
        // queue for half of the interval, as happens while a busy machine creates topics.
        p.put("broker.session.timeout.ms", "15000");
        p.put("broker.heartbeat.interval.ms", "5000");
        // An open transaction of a dead producer blocks readers until the broker aborts it.
        p.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
        // Taken from the heap for good; the default is 128 MiB. A pass of the cleaner takes as many keys of a partition
        // as fit in, 24 bytes each with a tenth left empty: 629,145. Each further pass copies the clean log again.
        p.put("log.cleaner.dedupe.buffer.size", Integer.toString(CLEANER_KEYS_BYTES));
        // The cleaner shares the disk with everything else, and nothing waits for it.
        p.put("log.cleaner.io.max.bytes.per.second", Integer.toString(CLEANER_BYTES_PER_SECOND));
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

    /** The id that the log has, or else that of the file, which nodes of one cluster share. */
    private static String clusterId(Path folder, Path log) throws IOException {
        Path formatted = log.resolve("meta.properties");
        if (Files.exists(formatted)) {
            var properties = new Properties();
            try (Reader in = Files.newBufferedReader(formatted, StandardCharsets.ISO_8859_1)) {
                properties.load(in);
            }
            String id = properties.getProperty("cluster.id");
            if (id != null) {
                return id;
            }
        }
        Path file = folder.resolve(CLUSTER_ID_FILE);
        if (!Files.exists(file)) {
            ControlFile.write(file, Uuid.randomUuid().toString());
        }
        String id = ControlFile.read(file);
        if (id.isEmpty()) {
            throw new IOException(file + " has no cluster id, and Kafka's log does not have it either: write the id"
                    + " that the other nodes of the cluster have into it, or delete it where there are none");
        }
        return id;
    }

    /**
     * Another process may take the port before the broker does; the broker then fails to start.
     *
     * @param other a port that is free as well, but meant for something else
     */
    private static int freePort(int other) throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = socket.getLocalPort();
            return port == other ? freePort(other) : port; // the socket is still open, so it is another one
        }
    }
}
