package millrace.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.Uuid;

/** The cluster as processes on this machine. To be cut off is to be halted by SIGSTOP: connections stay, nobody answers. */
final class ProcessCluster implements Cluster {
    private static final String[] SMALL = {"-Xmx256m", "--kafka.replication=3", "--kafka.partitions=6"};

    private final Path data;
    private final List<Integer> ports;
    private final Map<Part, Program> running = new HashMap<>();
    private final Services services;
    private final WebhookReceiver receiver;

    private ProcessCluster(Path data, List<Integer> ports) throws IOException, InterruptedException {
        this.data = data;
        this.ports = ports;
        for (Part part : Role.KAFKA.all()) {
            Files.createDirectories(folder(part));
            Files.writeString(folder(part).resolve("cluster-id"), clusterId());
            running.put(part, launch(part));
        }
        for (Part part : Role.KAFKA.all()) {
            started(program(part));
        }
        this.services = Services.prepare(data, bootstrapServers());
        this.receiver = WebhookReceiver.start();
    }

    static ProcessCluster start(Path data) throws Exception {
        List<Integer> ports = freePorts(8);
        var cluster = new ProcessCluster(data, ports);
        for (Role role : List.of(Role.GATEWAY, Role.PROCESSOR, Role.NOTIFIER)) {
            for (Part part : role.all()) {
                cluster.running.put(part, cluster.launch(part));
            }
        }
        cluster.entrances().forEach(cluster::awaitReady);
        return cluster;
    }

    private String clusterId() throws IOException {
        Path file = data.resolve("cluster-id");
        if (!Files.exists(file)) {
            Files.writeString(file, Uuid.randomUuid().toString());
        }
        return Files.readString(file);
    }

    @Override
    public List<String> entrances() {
        return List.of("http://127.0.0.1:" + ports.get(6), "http://127.0.0.1:" + ports.get(7));
    }

    @Override
    public String key() {
        return services.key();
    }

    @Override
    public String webhookSecret() {
        return services.webhookSecret();
    }

    @Override
    public String webhookUrl() {
        return receiver.url();
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d".formatted(ports.get(0), ports.get(1), ports.get(2));
    }

    @Override
    public List<Told> told() {
        return receiver.received().stream()
                .map(r -> new Told(r.verified(webhookSecret()).id(), r.at()))
                .toList();
    }

    @Override
    public void kill(Part part) throws InterruptedException {
        program(part).kill();
    }

    @Override
    public void stop(Part part) throws InterruptedException {
        program(part).stop();
    }

    @Override
    public void start(Part part) throws Exception {
        running.put(part, launch(part));
        if (part.role() == Role.KAFKA) {
            started(program(part));
        }
        if (part.role() == Role.GATEWAY) {
            awaitReady(entrances().get(part.number() - 1));
        }
    }

    @Override
    public void cutOff(Part part) throws Exception {
        program(part).signal("STOP");
    }

    @Override
    public void rejoin(Part part) throws Exception {
        program(part).signal("CONT");
    }

    @Override
    public void close() {
        services.close();
        receiver.close();
        running.values().forEach(Program::close);
    }

    private Program program(Part part) {
        return Objects.requireNonNull(running.get(part));
    }

    private Program launch(Part part) throws IOException, InterruptedException {
        return switch (part.role()) {
            case KAFKA -> Program.launch(kafka(part));
            case GATEWAY ->
                services.gateway(
                        part.name(),
                        with("--gateway.port=" + ports.get(5 + part.number()), "--gateway.open-reports=10000"));
            case PROCESSOR -> services.processor(part.name(), entrances().getFirst(), with("--processor.standbys=1"));
            case NOTIFIER -> services.notifier(part.name(), SMALL);
        };
    }

    private static String[] with(String... more) {
        List<String> all = new ArrayList<>(List.of(SMALL));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private List<String> kafka(Part part) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                KafkaNode.class.getName(),
                folder(part).toString(),
                Integer.toString(part.number()),
                text(ports.subList(0, 3)),
                text(ports.subList(3, 6)));
    }

    private Path folder(Part part) {
        return data.resolve(part.name());
    }

    private static String text(List<Integer> ports) {
        return String.join(",", ports.stream().map(String::valueOf).toList());
    }

    private static void started(Program kafka) throws InterruptedException {
        if (!kafka.awaitOutput(said -> said.contains("kafka started"))) {
            throw new IllegalStateException("not started:\n" + kafka.output());
        }
    }

    private void awaitReady(String address) {
        await("readiness")
                .atMost(Duration.ofSeconds(90))
                .ignoreExceptions()
                .until(() -> Services.isReady(new Api(address, "none", java.net.http.HttpClient.newHttpClient())));
    }

    /** Free now. */
    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> open = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            open.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : open) {
            socket.close();
        }
        return ports;
    }
}
