package millrace.e2e.cluster;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import org.apache.kafka.common.Uuid;

/**
 * The cluster as processes on this machine. A part is cut off by SIGSTOP: its connections stay open and nobody answers.
 */
final class ProcessCluster implements Cluster {
    private static final List<Part> SERVICES = Stream.of(Role.GATEWAY, Role.PROCESSOR, Role.NOTIFIER)
            .flatMap(role -> role.all().stream())
            .toList();
    /**
     * The serial collector, as in a small container, and only the C1 compiler, since nine JVMs with C2 would take few
     * cores for minutes.
     */
    private static final List<String> JVM = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Path data;
    private final List<Integer> ports;
    private final Map<Part, MainProcess> running = new HashMap<>();
    private final List<Map.Entry<Part, MainProcess>> ended = new ArrayList<>();
    /** Each webhook is verified once, since after five minutes its signature would be too old. */
    private final List<ReceivedWebhook> webhooks = new ArrayList<>();

    private final HttpClient http = HttpClient.newHttpClient();
    private final ServiceProcesses services;
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
            awaitReady(part);
        }
        this.services = ServiceProcesses.prepare(data, bootstrapServers());
        this.receiver = WebhookReceiver.start();
    }

    static ProcessCluster start(Path data) throws Exception {
        List<Integer> ports = freePorts(14);
        var cluster = new ProcessCluster(data, ports);
        cluster.launchServices();
        return cluster;
    }

    /** The first service creates the topics; the others start together. */
    private void launchServices() throws Exception {
        running.put(SERVICES.getFirst(), launch(SERVICES.getFirst()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<MainProcess>> started = new ArrayList<>();
            for (Part part : SERVICES.subList(1, SERVICES.size())) {
                started.add(threads.submit(() -> launch(part)));
            }
            for (int i = 0; i < started.size(); i++) {
                running.put(SERVICES.get(i + 1), started.get(i).get());
            }
        }
        for (Part part : SERVICES) {
            awaitReady(part);
        }
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
    public synchronized List<ReceivedWebhook> webhooks() {
        List<WebhookReceiver.Received> received = receiver.received();
        while (webhooks.size() < received.size()) {
            var next = received.get(webhooks.size());
            webhooks.add(new ReceivedWebhook(next.verified(webhookSecret()).id(), next.at()));
        }
        return List.copyOf(webhooks);
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
        ended.add(Map.entry(part, program(part)));
        running.put(part, launch(part));
        awaitReady(part);
    }

    @Override
    public void cutOff(Part part) throws Exception {
        program(part).signal("STOP");
    }

    @Override
    public void rejoin(Part part) throws Exception {
        program(part).signal("CONT");
    }

    /** Stops all processes and keeps their outputs below target/cluster. */
    @Override
    public void close() throws IOException {
        services.close();
        receiver.close();
        running.values().forEach(MainProcess::close);
        running.forEach((part, program) -> ended.add(Map.entry(part, program)));
        Path logs = Files.createDirectories(Path.of("target", "cluster"));
        for (int i = 0; i < ended.size(); i++) {
            Files.writeString(
                    logs.resolve(
                            "%02d-%s.log".formatted(i, ended.get(i).getKey().name())),
                    ended.get(i).getValue().output());
        }
    }

    private MainProcess program(Part part) {
        return Objects.requireNonNull(running.get(part));
    }

    private MainProcess launch(Part part) throws IOException, InterruptedException {
        return switch (part.role()) {
            case KAFKA -> MainProcess.launch(kafka(part));
            case GATEWAY ->
                services.gateway(
                        part.name(),
                        with(part, "--gateway.port=" + ports.get(5 + part.number()), "--gateway.open-reports=10000"));
            case PROCESSOR ->
                services.processor(part.name(), entrances().getFirst(), with(part, "--processor.standbys=1"));
            case NOTIFIER -> services.notifier(part.name(), with(part));
        };
    }

    private String[] with(Part part, String... more) {
        List<String> all = new ArrayList<>(JVM);
        all.add("--kafka.replication=3");
        all.add("--kafka.partitions=6");
        all.add("--management.port=" + managementPort(part));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private List<String> kafka(Part part) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                KafkaNode.class.getName(),
                folder(part).toString(),
                Integer.toString(part.number()),
                text(ports.subList(0, 3)),
                text(ports.subList(3, 6))));
        return command;
    }

    private Path folder(Part part) {
        return data.resolve(part.name());
    }

    private static String text(List<Integer> ports) {
        return String.join(",", ports.stream().map(String::valueOf).toList());
    }

    private static void started(MainProcess kafka) throws InterruptedException {
        if (!kafka.awaitOutput(output -> output.contains("kafka started"))) {
            throw new IllegalStateException("not started:\n" + kafka.output());
        }
    }

    private int managementPort(Part part) {
        return ports.get(8 + SERVICES.indexOf(part));
    }

    private void awaitReady(Part part) throws InterruptedException {
        if (part.role() == Role.KAFKA) {
            started(program(part));
            return;
        }
        String address = "http://127.0.0.1:" + managementPort(part);
        await(part.name())
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> new BatchApiClient(address, "none", http)
                                .get("/health/ready")
                                .code()
                        == 200);
    }

    /** Ports that are free now. */
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
