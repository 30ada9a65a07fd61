package millrace.bench.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;
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
                            Stream.concat(SingleGateway.IMAGE_OPTIONS.stream(), Stream.of("-Xmx1g"))
                                    .toList(),
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

        /** In turns, because the machine is not equally fast all the time. */
        @SuppressWarnings("SystemOut")
        void compare(BenchOptions options, int connections) throws InterruptedException {
            var ours = new Side(operation, gateway.process(), this::ours);
            var theirs = new Side("bare " + bareOperation, bare, this::theirs);
            int rounds = options.number("rounds");
            var answers = new double[rounds];
            var cpu = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                Figure one = ours.measure(options, connections);
                Figure other = theirs.measure(options, connections);
                answers[i] = one.perSecond / other.perSecond;
                cpu[i] = one.cpu / other.cpu;
            }
            ours.print(options, connections);
            theirs.print(options, connections);
            System.out.printf(
                    Locale.ROOT,
                    "%-18s %4d connections: %s of bare in answers a second, %s times its CPU%n",
                    operation,
                    connections,
                    Measurements.of(answers),
                    Measurements.of(cpu));
        }
    }

    /** What is measured of one operation of one server. */
    private static final class Side {
        private final String name;
        private final ChildProcess server;
        private final HttpLoad load;
        private final List<Figure> figures = new ArrayList<>();
        private final Map<String, ThreadUse> threads = new HashMap<>();
        private long answered;

        Side(String name, ChildProcess server, LongFunction<HttpRequest> requests) {
            this.name = name;
            this.server = server;
            this.load = new HttpLoad(requests);
        }

        @SuppressWarnings("SystemOut")
        Figure measure(BenchOptions options, int connections) throws InterruptedException {
            load.closed(connections, SETTLING);
            Map<String, ThreadUse> threadsBefore = server.threads();
            Duration before = server.cpu();
            HttpLoad.Result result =
                    answered(name, server, load.closed(connections, Duration.ofSeconds(options.number("seconds"))));
            System.out.println("  " + name + ": " + result);
            double cpu = server.cpu().minus(before).toNanos() / 1e3 / result.answered();
            ThreadUse.between(threadsBefore, server.threads())
                    .forEach((thread, use) -> threads.merge(thread, use, ThreadUse::plus));
            answered += result.answered();
            figures.add(new Figure(result.perSecond(), cpu));
            return figures.getLast();
        }

        @SuppressWarnings("SystemOut")
        void print(BenchOptions options, int connections) {
            System.out.printf(
                    Locale.ROOT,
                    "  %s, %d connections: %s answers a second, %s us CPU each%n",
                    name,
                    connections,
                    Measurements.of(figures.stream().map(Figure::perSecond).toList()),
                    Measurements.of(figures.stream().map(Figure::cpu).toList()));
            ThreadUse.print(threads, options.number("threads"), answered);
        }
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
