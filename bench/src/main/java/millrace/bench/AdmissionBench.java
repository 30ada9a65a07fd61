package millrace.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import millrace.contracts.Topics;

/**
 * Accepted and validated requests a second, beside an endpoint of the same stack that does nothing but publish. Closed loop,
 * five domains, each report another; medians of the rounds. The CPU figures are the servers' own, without their load.
 */
public final class AdmissionBench {
    /** About what a command takes, compressed. */
    private static final String RECORD_BYTES = "900";

    private AdmissionBench() {}

    /** @param cpu microseconds of the server's CPU per answer */
    private record Figure(double perSecond, double cpu) {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = Options.parse(
                arguments,
                "--seconds 10 --rounds 3 --connections 64,256 --profile none",
                "--seconds 3 --rounds 1 --connections 64");
        var profile = Profile.of(options);
        Path folder = Files.createTempDirectory("millrace-bench");
        try (Child kafka = KafkaMain.start(folder.resolve("kafka"))) {
            String servers = KafkaMain.servers(kafka);
            try (GatewayAlone gateway = GatewayAlone.start(folder, servers, profile.with("-Xmx1g"));
                    Child bare = Child.start(
                            BareMain.class,
                            List.of("-Xmx1g"),
                            servers,
                            Topics.COMMAND_DEAD_LETTERS.name(),
                            RECORD_BYTES)) {
                String line = bare.await(BareMain.SAYS, Duration.ofMinutes(1));
                String address = line.substring(line.indexOf("http://"));
                for (int connections : options.numbers("connections")) {
                    compare(options, connections, "request-report", "publish", gateway, bare, address);
                    profile.dump(gateway.process(), "request-report-" + connections);
                    compare(options, connections, "request-validate", "read", gateway, bare, address);
                }
                System.out.printf(
                        Locale.ROOT,
                        "peak memory: gateway %,d MB at -Xmx1g, bare %,d MB%n",
                        gateway.process().peakMemory() >> 20,
                        bare.peakMemory() >> 20);
            }
        } finally {
            Folders.delete(folder);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void compare(
            Options options,
            int connections,
            String operation,
            String bareOperation,
            GatewayAlone gateway,
            Child bare,
            String bareAddress)
            throws InterruptedException {
        Figure ours =
                measure(options, connections, operation, gateway.process(), number -> gateway.post(operation, number));
        Figure theirs = measure(options, connections, "bare " + bareOperation, bare, number -> {
            HttpRequest same = gateway.post(operation, number);
            return HttpRequest.newBuilder(URI.create(bareAddress + "/bare/" + bareOperation))
                    .header("content-type", "application/json")
                    .POST(same.bodyPublisher().orElse(BodyPublishers.noBody()))
                    .build();
        });
        System.out.printf(
                Locale.ROOT,
                "%-18s %4d connections: %.2f of bare in answers a second, %.2f times its CPU%n",
                operation,
                connections,
                ours.perSecond / theirs.perSecond,
                ours.cpu / theirs.cpu);
    }

    @SuppressWarnings("SystemOut")
    private static Figure measure(
            Options options, int connections, String name, Child server, LongFunction<HttpRequest> requests)
            throws InterruptedException {
        var load = new Load(requests);
        Duration duration = Duration.ofSeconds(options.number("seconds"));
        load.closed(connections, duration);
        int rounds = options.number("rounds");
        var perSecond = new double[rounds];
        var cpu = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Duration before = server.cpu();
            Load.Result result = load.closed(connections, duration);
            System.out.println("  " + name + ": " + result);
            perSecond[i] = result.perSecond();
            cpu[i] = server.cpu().minus(before).toNanos() / 1e3 / result.answered();
        }
        System.out.printf(
                Locale.ROOT,
                "  %s, %d connections: %s answers a second, %s us CPU each%n",
                name,
                connections,
                Spread.of(perSecond),
                Spread.of(cpu));
        return new Figure(Spread.of(perSecond).median(), Spread.of(cpu).median());
    }
}
