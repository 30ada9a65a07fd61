package millrace.bench.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.Measurements;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.TemporaryFolders;
import millrace.bench.process.ThreadUse;
import millrace.contracts.topics.Topics;

/**
 * Measures accepted and validated requests a second, beside an endpoint of the same stack that only
 * publishes a record. Closed loop, five domains, a different report each time; medians of the
 * rounds. CPU figures are the servers' own, without their load. A gateway gets faster for a minute
 * or two, so each server and operation has a warm-up, in seconds.
 */
public final class AdmissionBench {
    /** About the size of a compressed command. */
    private static final String RECORD_BYTES = "900";

    /** Connections during the warm-up. */
    private static final int WARMING = 128;
    /** Pause after a change of the load. */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    private AdmissionBench() {}

    /** @param cpu microseconds of the server's CPU per answer */
    private record Figure(double perSecond, double cpu) {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--seconds 10 --rounds 3 --connections 64,256 --warm-up 60 --threads 0 --profile none",
                "--seconds 3 --rounds 1 --connections 64 --warm-up 3");
        var profile = FlightRecording.of(options);
        Path folder = Files.createTempDirectory("millrace-bench");
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            String servers = KafkaMain.servers(kafka);
            try (SingleGateway gateway = SingleGateway.start(folder, servers, profile.with("-Xmx1g"));
                    ChildProcess bare = ChildProcess.start(
                            BareMain.class,
                            List.of("-Xmx1g"),
                            servers,
                            Topics.COMMAND_DEAD_LETTERS.name(),
                            RECORD_BYTES)) {
                String line = bare.await(BareMain.SAYS, Duration.ofMinutes(1));
                String address = line.substring(line.indexOf("http://"));
                List<Pair> pairs = List.of(
                        new Pair("request-report", gateway, "publish", bare, address),
                        new Pair("request-validate", gateway, "read", bare, address));
                for (Pair pair : pairs) {
                    pair.warmUp(Duration.ofSeconds(options.number("warm-up")));
                }
                for (int connections : options.numbers("connections")) {
                    for (Pair pair : pairs) {
                        pair.compare(options, connections);
                        profile.dump(gateway.process(), pair.operation + "-" + connections);
                    }
                }
                System.out.printf(
                        Locale.ROOT,
                        "peak memory: gateway %,d MB at -Xmx1g, bare %,d MB%n",
                        gateway.process().peakMemory() >> 20,
                        bare.peakMemory() >> 20);
            }
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    /**
     * Two things to compare: an operation of the gateway, and one of the bare server at an address.
     */
    private record Pair(
            String operation, SingleGateway gateway, String bareOperation, ChildProcess bare, String address) {
        HttpRequest ours(long number) {
            return gateway.post(operation, number);
        }

        HttpRequest theirs(long number) {
            return HttpLoad.request(URI.create(address + "/bare/" + bareOperation))
                    .header("content-type", "application/json")
                    .POST(ours(number).bodyPublisher().orElse(BodyPublishers.noBody()))
                    .build();
        }

        @SuppressWarnings("SystemOut")
        void warmUp(Duration duration) throws InterruptedException {
            System.out.println("warming up " + operation + ", " + bareOperation);
            answered(operation, gateway.process(), new HttpLoad(this::ours).closed(WARMING, duration));
            answered(bareOperation, bare, new HttpLoad(this::theirs).closed(WARMING, duration));
        }

        @SuppressWarnings("SystemOut")
        void compare(BenchOptions options, int connections) throws InterruptedException {
            Figure ours = measure(options, connections, operation, gateway.process(), this::ours);
            Figure theirs = measure(options, connections, "bare " + bareOperation, bare, this::theirs);
            System.out.printf(
                    Locale.ROOT,
                    "%-18s %4d connections: %.2f of bare in answers a second, %.2f times its CPU%n",
                    operation,
                    connections,
                    ours.perSecond / theirs.perSecond,
                    ours.cpu / theirs.cpu);
        }
    }

    @SuppressWarnings("SystemOut")
    private static Figure measure(
            BenchOptions options, int connections, String name, ChildProcess server, LongFunction<HttpRequest> requests)
            throws InterruptedException {
        var load = new HttpLoad(requests);
        Duration duration = Duration.ofSeconds(options.number("seconds"));
        load.closed(connections, SETTLING);
        int rounds = options.number("rounds");
        var perSecond = new double[rounds];
        var cpu = new double[rounds];
        Map<String, ThreadUse> threads = server.threads();
        long answered = 0;
        for (int i = 0; i < rounds; i++) {
            Duration before = server.cpu();
            HttpLoad.Result result = answered(name, server, load.closed(connections, duration));
            System.out.println("  " + name + ": " + result);
            answered += result.answered();
            perSecond[i] = result.perSecond();
            cpu[i] = server.cpu().minus(before).toNanos() / 1e3 / result.answered();
        }
        System.out.printf(
                Locale.ROOT,
                "  %s, %d connections: %s answers a second, %s us CPU each%n",
                name,
                connections,
                Measurements.of(perSecond),
                Measurements.of(cpu));
        ThreadUse.print(ThreadUse.between(threads, server.threads()), options.number("threads"), answered);
        return new Figure(
                Measurements.of(perSecond).median(), Measurements.of(cpu).median());
    }

    /** A ratio to a server that answers nothing would be none. */
    private static HttpLoad.Result answered(String name, ChildProcess server, HttpLoad.Result result) {
        if (result.answered() == 0) {
            throw new IllegalStateException(name + " answered none of " + result.refused()
                    + " requests with 200; the server's last lines:\n" + server.lastLines());
        }
        return result;
    }
}
