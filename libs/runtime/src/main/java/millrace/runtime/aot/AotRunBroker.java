package millrace.runtime.aot;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs one Kafka node over an empty folder, as a process. */
final class AotRunBroker {
    private static final String CLUSTER_ID = "5L6g3nShT-eMCtK--X86sw";

    private final String classes;
    private final Path folder;
    private final int port = AotCacheMain.freePort();
    private final int controller = AotCacheMain.freePort();

    /** @param classes class path with Kafka's server */
    AotRunBroker(String classes, Path folder) throws IOException {
        this.classes = classes;
        this.folder = Files.createDirectories(folder);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** Blocks until the broker accepts connections. */
    Process start() throws IOException, InterruptedException {
        Path properties = Files.writeString(folder.resolve("server.properties"), properties());
        Path log = folder.resolve("format.log");
        Process format = java(
                List.of(
                        "kafka.tools.StorageTool",
                        "format",
                        "--cluster-id",
                        CLUSTER_ID,
                        "--config",
                        properties.toString()),
                log);
        if (format.waitFor() != 0) {
            throw new IOException("the broker's folder could not be formatted:\n" + Files.readString(log));
        }
        Path brokerLog = folder.resolve("kafka.log");
        Process broker = java(List.of("kafka.Kafka", properties.toString()), brokerLog);
        JavaProcess.await(broker, brokerLog, this::answers);
        return broker;
    }

    private boolean answers() {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private Process java(List<String> arguments, Path log) throws IOException {
        List<String> all = new ArrayList<>(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", classes));
        all.addAll(arguments);
        return JavaProcess.start(all, log);
    }

    private String properties() {
        return String.format(Locale.ROOT, """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=2
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=2
                group.initial.rebalance.delay.ms=0
                group.min.session.timeout.ms=2000
                log.index.size.max.bytes=1048576
                """, port, controller, folder.resolve("log"));
    }
}
