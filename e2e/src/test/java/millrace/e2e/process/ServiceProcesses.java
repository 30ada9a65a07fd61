package millrace.e2e.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.broker.EmbeddedKafka;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.OperatorDataFolder;

/** The services as separate processes with a broker in this process, on a shared data folder. */
public final class ServiceProcesses implements AutoCloseable {
    private static final List<String> SMALL = List.of("-Xmx512m");

    private final Path data;
    private final Kafka kafka;
    private final Supplier<String> key;
    private final Supplier<String> webhookSecret;
    private final List<MainProcess> started = new CopyOnWriteArrayList<>();
    private final List<String> given = new ArrayList<>();

    private ServiceProcesses(Path data, Kafka kafka, Supplier<String> key, Supplier<String> webhookSecret) {
        this.data = data;
        this.kafka = kafka;
        this.key = key;
        this.webhookSecret = webhookSecret;
    }

    /** The broker of the services. */
    private record Kafka(String bootstrapServers, Runnable stop) {
        static Kafka embedded(Path data) throws IOException {
            EmbeddedKafka kafka = EmbeddedKafka.start(data.resolve("kafka"));
            return new Kafka(kafka.bootstrapServers(), kafka::close);
        }
    }

    /** Starts Kafka and prepares the demo account; no service yet. */
    public static ServiceProcesses prepare(Path data) throws IOException, InterruptedException {
        return prepare(data, Kafka.embedded(data));
    }

    /** Prepares the demo account, with brokers of the test. */
    public static ServiceProcesses prepare(Path data, String bootstrapServers)
            throws IOException, InterruptedException {
        return prepare(data, new Kafka(bootstrapServers, () -> {}));
    }

    private static ServiceProcesses prepare(Path data, Kafka kafka) throws IOException, InterruptedException {
        DemoDataFolder.create(data);
        MainProcess demo = MainProcess.launch(
                "millrace.standalone.demo.DemoDataMain", SMALL, List.of(DemoDataFolder.arguments("--data=" + data)));
        if (demo.exitCode() != 0) {
            throw new IllegalStateException(demo.output());
        }
        return new ServiceProcesses(
                data, kafka, () -> demo.printed("batch key\\s+(\\S+)"), () -> demo.printed("webhook secret\\s+(\\S+)"));
    }

    /** Starts Kafka for a data folder of the test; {@link #api} uses this account. */
    public static ServiceProcesses over(OperatorDataFolder own, String account) throws IOException {
        return new ServiceProcesses(
                own.data(),
                Kafka.embedded(own.data()),
                () -> OperatorDataFolder.key(account),
                () -> OperatorDataFolder.SECRET);
    }

    /**
     * Starts a gateway and waits until it listens; {@link #api} waits until it is ready. Arguments with {@code -X} are
     * for the JVM.
     */
    public MainProcess gateway(String instance, String... more) throws IOException, InterruptedException {
        return start(
                "millrace.gateway.bootstrap.GatewayMain",
                "gateway started",
                instance,
                List.of(
                        "--gateway.port=0",
                        "--gateway.accounts=" + data.resolve("accounts.yaml"),
                        "--storage.reports=" + data.resolve("reports"),
                        "--gateway.activity.directory="
                                + data.resolve("activity").resolve(instance),
                        "--gateway.read-model.directory="
                                + data.resolve("read-model").resolve(instance),
                        "--gateway.deliveries.directory="
                                + data.resolve("deliveries").resolve(instance),
                        "--storage.link-secret=" + data.resolve("link-secret"),
                        "--gateway.allowed-addresses=127.0.0.0/8",
                        "--gateway.requests-per-second=100000"),
                more);
    }

    /** @param address of a gateway, for the links in events */
    public MainProcess processor(String instance, String address, String... more)
            throws IOException, InterruptedException {
        return start(
                "millrace.processor.bootstrap.ProcessorMain",
                "processor started",
                instance,
                List.of(
                        "--processor.public-address=" + address,
                        "--processor.warehouse=" + data.resolve("warehouse"),
                        "--storage.reports=" + data.resolve("reports"),
                        "--storage.link-secret=" + data.resolve("link-secret"),
                        "--processor.state=" + data.resolve("streams-" + instance),
                        "--processor.standbys=0",
                        "--processor.duckdb.temp-directory=" + data.resolve("scratch-" + instance)),
                more);
    }

    public MainProcess notifier(String instance, String... more) throws IOException, InterruptedException {
        return start(
                "millrace.notifier.bootstrap.NotifierMain",
                "notifier started",
                instance,
                List.of(
                        "--notifier.accounts=" + data.resolve("accounts.yaml"),
                        "--notifier.allowed-addresses=127.0.0.0/8"),
                more);
    }

    public static String address(MainProcess gateway) {
        return gateway.printed("gateway started address=(\\S+)");
    }

    /** A client, once the gateway is ready. */
    public BatchApiClient api(MainProcess gateway) {
        var api = new BatchApiClient(address(gateway), key.get(), HttpClient.newHttpClient());
        await("readiness").atMost(Duration.ofSeconds(60)).until(() -> isReady(api));
        return api;
    }

    static boolean isReady(BatchApiClient api) {
        return api.get("/health/readiness").code() == 200;
    }

    public String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    public String key() {
        return key.get();
    }

    public String webhookSecret() {
        return webhookSecret.get();
    }

    /** Adds an argument for all services that are started from now on. */
    public void give(String argument) {
        given.add(argument);
    }

    /** The output of each process. */
    public List<String> outputs() {
        return started.stream().map(MainProcess::output).toList();
    }

    /** The secrets: the key of {@link #api} and the secret of its webhooks. */
    public List<String> secrets() {
        return List.of(key.get(), webhookSecret());
    }

    @Override
    public void close() {
        started.forEach(MainProcess::close);
        kafka.stop().run();
    }

    private MainProcess start(String main, String sign, String instance, List<String> settings, String... more)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(settings);
        arguments.add("--kafka.bootstrap.servers=" + kafka.bootstrapServers());
        arguments.add("--kafka.instance-id=" + instance);
        arguments.add("--kafka.partitions=3");
        arguments.add("--log.format=json");
        arguments.add("--log.level=debug");
        arguments.add("--log.reports=true");
        arguments.addAll(given);
        Map<Boolean, List<String>> options =
                Stream.of(more).collect(Collectors.partitioningBy(option -> option.startsWith("-X")));
        arguments.addAll(options.getOrDefault(false, List.of()));
        List<String> jvm = new ArrayList<>(SMALL);
        jvm.addAll(options.getOrDefault(true, List.of()));
        MainProcess program = MainProcess.launch(main, jvm, arguments);
        started.add(program);
        if (!program.awaitOutput(output -> output.contains(sign))) {
            throw new IllegalStateException("not started:\n" + program.output());
        }
        return program;
    }
}
