package millrace.bench.gateway;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.Measurements;
import millrace.bench.process.Output;
import millrace.bench.process.SingleGateway;

/**
 * Measures accepted and validated requests a second, beside an endpoint of the same stack that only
 * publishes a record. Closed loop, five domains, a different report each time; medians of the
 * rounds. CPU figures are the servers' own, without their load. A gateway gets faster for a minute
 * or two, so each server and operation has a warm-up, in seconds.
 */
public final class AdmissionBench {
    /** Connections during the warm-up. */
    private static final int WARMING = 128;
    /** Pause after a change of the load. */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    private AdmissionBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--seconds 10 --rounds 3 --connections 64,256 --warm-up 60",
                "--seconds 3 --rounds 1 --connections 64 --warm-up 3");
        try (BenchKafka kafka = BenchKafka.start();
                SingleGateway gateway = SingleGateway.start(kafka, "-Xmx1g");
                BareServer bare = BareServer.start(kafka)) {
            List<Pair> pairs = List.of(
                    pair("request-report", gateway, "publish", bare), pair("request-validate", gateway, "read", bare));
            Duration warmUp = Duration.ofSeconds(options.number("warm-up"));
            for (Pair pair : pairs) {
                pair.ours.answered(WARMING, warmUp);
                pair.theirs.answered(WARMING, warmUp);
            }
            Duration duration = Duration.ofSeconds(options.number("seconds"));
            for (int connections : options.numbers("connections")) {
                for (Pair pair : pairs) {
                    pair.compare(connections, options.number("rounds"), duration);
                }
            }
            print(
                    "peak memory: gateway %,d MB at -Xmx1g, bare %,d MB",
                    gateway.process().peakMemory() >> 20, bare.process().peakMemory() >> 20);
        }
    }

    private static Pair pair(String operation, SingleGateway gateway, String bareOperation, BareServer bare) {
        URI address = URI.create(bare.address() + "/" + bareOperation);
        return new Pair(
                new Side(operation, gateway.process(), number -> gateway.post(operation, number)),
                new Side("bare " + bareOperation, bare.process(), number -> HttpLoad.request(address)
                        .header("content-type", "application/json")
                        .POST(gateway.post(operation, number).bodyPublisher().orElseThrow())
                        .build()));
    }

    /** @param cpu microseconds of the server's CPU per answer */
    private record Figure(double perSecond, double cpu) {}

    private record Pair(Side ours, Side theirs) {
        /** In turns, because the machine is not equally fast all the time. */
        void compare(int connections, int rounds, Duration duration) throws InterruptedException {
            List<Figure> one = new ArrayList<>();
            List<Figure> other = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                one.add(ours.measure(connections, duration));
                other.add(theirs.measure(connections, duration));
            }
            ours.print(one, connections);
            theirs.print(other, connections);
            print(
                    "%-18s %4d connections: %s of bare in answers a second, %s times its CPU",
                    ours.name, connections, ratio(one, other, Figure::perSecond), ratio(one, other, Figure::cpu));
        }

        private static Measurements ratio(List<Figure> one, List<Figure> other, ToDoubleFunction<Figure> what) {
            return Measurements.of(IntStream.range(0, one.size())
                    .mapToDouble(i -> what.applyAsDouble(one.get(i)) / what.applyAsDouble(other.get(i)))
                    .toArray());
        }
    }

    /** One operation of one server. */
    private static final class Side {
        private final String name;
        private final ChildProcess server;
        private final HttpLoad load;

        Side(String name, ChildProcess server, LongFunction<HttpRequest> requests) {
            this.name = name;
            this.server = server;
            this.load = new HttpLoad(requests);
        }

        Figure measure(int connections, Duration duration) throws InterruptedException {
            load.closed(connections, SETTLING);
            Duration before = server.cpu();
            HttpLoad.Result result = answered(connections, duration);
            return new Figure(result.perSecond(), server.cpu().minus(before).toNanos() / 1e3 / result.answered());
        }

        /** A ratio to a server that answers nothing would be none. */
        HttpLoad.Result answered(int connections, Duration duration) throws InterruptedException {
            HttpLoad.Result result = load.closed(connections, duration);
            Output.print("  %s: %s", name, result);
            if (result.answered() == 0) {
                throw new IllegalStateException(name + " answered none of " + result.refused()
                        + " requests with 200; the server's last lines:\n" + server.lastLines());
            }
            return result;
        }

        void print(List<Figure> figures, int connections) {
            Output.print(
                    "  %s, %d connections: %s answers a second, %s us CPU each",
                    name,
                    connections,
                    Measurements.of(figures.stream().map(Figure::perSecond).toList()),
                    Measurements.of(figures.stream().map(Figure::cpu).toList()));
        }
    }
}
