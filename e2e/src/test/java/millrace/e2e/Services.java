package millrace.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.broker.EmbeddedKafka;

/** The services as processes of their own, over a broker in this process, on a data folder that they share. */
final class Services implements AutoCloseable {
    private static final List<String> SMALL = List.of("-Xmx512m");

    private final Path data;
    private final EmbeddedKafka kafka;
    private final Program demo;
    private final List<Program> started = new ArrayList<>();

    private Services(Path data, EmbeddedKafka kafka, Program demo) {
        this.data = data;
        this.kafka = kafka;
        this.demo = demo;
    }

    /** Kafka and the demo account; no service yet. */
    static Services prepare(Path data) throws IOException, InterruptedException {
        DemoFolder.create(data);
        Program demo = Program.launch(
                "millrace.standalone.DemoDataMain", SMALL, List.of(DemoFolder.arguments("--data=" + data)));
        if (demo.exitCode() != 0) {
            throw new IllegalStateException(demo.output());
        }
        return new Services(data, EmbeddedKafka.start(data.resolve("kafka")), demo);
    }

    /** Waits until it listens; {@link #api} waits until it is ready. */
    Program gateway(String instance, String... more) throws IOException, InterruptedException {
        return start(
                "millrace.gateway.GatewayMain",
                "gateway started",
                instance,
                List.of(
                        "--gateway.port=0",
                        "--gateway.accounts=" + data.resolve("accounts.yaml"),
                        "--gateway.reports=" + data.resolve("reports"),
                        "--gateway.link-secret=" + data.resolve("link-secret"),
                        "--gateway.allowed-addresses=127.0.0.0/8",
                        "--gateway.requests-per-second=100000"),
                more);
    }

    /** @param address of a gateway, for the links in its events */
    Program processor(String instance, String address, String... more) throws IOException, InterruptedException {
        return start(
                "millrace.processor.ProcessorMain",
                "processor started",
                instance,
                List.of(
                        "--processor.public-address=" + address,
                        "--processor.warehouse=" + data.resolve("warehouse"),
                        "--processor.reports=" + data.resolve("reports"),
                        "--processor.link-secret=" + data.resolve("link-secret"),
                        "--processor.state=" + data.resolve("streams-" + instance),
                        "--processor.duckdb.temp-directory=" + data.resolve("scratch-" + instance)),
                more);
    }

    Program notifier(String instance, String... more) throws IOException, InterruptedException {
        return start(
                "millrace.notifier.NotifierMain",
                "notifier started",
                instance,
                List.of(
                        "--notifier.accounts=" + data.resolve("accounts.yaml"),
                        "--notifier.allowed-addresses=127.0.0.0/8"),
                more);
    }

    static String address(Program gateway) {
        return gateway.printed("gateway started: (\\S+),");
    }

    /** Once the gateway is ready. */
    Api api(Program gateway) {
        var api = new Api(address(gateway), demo.printed("batch key\\s+(\\S+)"), HttpClient.newHttpClient());
        await("readiness").atMost(Duration.ofSeconds(60)).until(() -> isReady(api));
        return api;
    }

    static boolean isReady(Api api) {
        return api.get("/health/readiness").code() == 200;
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    String webhookSecret() {
        return demo.printed("webhook secret\\s+(\\S+)");
    }

    @Override
    public void close() {
        started.forEach(Program::close);
        kafka.close();
    }

    private Program start(String main, String sign, String instance, List<String> settings, String... more)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(settings);
        arguments.add("--kafka.bootstrap.servers=" + kafka.bootstrapServers());
        arguments.add("--kafka.instance-id=" + instance);
        arguments.add("--kafka.partitions=3");
        arguments.addAll(List.of(more));
        Program program = Program.launch(main, SMALL, arguments);
        started.add(program);
        if (!program.awaitOutput(said -> said.contains(sign))) {
            throw new IllegalStateException("not started:\n" + program.output());
        }
        return program;
    }
}
