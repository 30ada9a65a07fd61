package millrace.bench;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.bench.process.RoundTrips;
import millrace.bench.process.StandaloneService;
import millrace.bench.process.TopicSize;
import org.apache.kafka.clients.admin.Admin;

/**
 * Measures small reports from the POST to the webhook that says complete, with all of Millrace in one process: at a
 * steady rate, with latencies from the moment when the POST was due, and then saturated with a number of reports in
 * progress. Also says what a report at the steady rate writes to each topic, as it is compressed.
 */
public final class RoundTripBench {
    private final BenchOptions options;
    private final StandaloneService millrace;
    private final RoundTrips reports;

    private RoundTripBench(BenchOptions options, StandaloneService millrace, RoundTrips reports) {
        this.options = options;
        this.millrace = millrace;
        this.reports = reports;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--rate 50 --seconds 60 --rounds 3 --in-hand 100 --reports 6000 --warm-up 25000 --data bench/target/round-trip",
                "--seconds 5 --rounds 1 --reports 500 --warm-up 200");
        Path data = StandaloneService.folder(options);
        try (StandaloneService millrace = StandaloneService.start(
                        data,
                        "--gateway.requests-per-second=1000000",
                        "--gateway.open-reports=1000000",
                        // All go to one endpoint, whose rate is limited by default.
                        "--notifier.per-second-per-endpoint=1000000");
                var reports = new RoundTrips(millrace);
                Admin kafka = Admin.create(Map.of(
                        "bootstrap.servers",
                        "127.0.0.1:"
                                + Files.readString(data.resolve("kafka-port")).strip()))) {
            new RoundTripBench(options, millrace, reports).measure(kafka);
        }
    }

    private void measure(Admin kafka) throws InterruptedException {
        int inHand = options.number("in-hand");
        Duration warmUp = reports.saturated(options.number("warm-up"), inHand);
        print("warm-up: %,d reports in %d s", options.number("warm-up"), warmUp.toSeconds());
        Map<String, TopicSize> before = TopicSize.all(kafka);
        int rounds = options.number("rounds");
        for (int round = 0; round < rounds; round++) {
            steady();
        }
        topics(before, TopicSize.all(kafka), rounds * options.number("rate") * options.number("seconds"));
        Duration cpu = millrace.process().cpu();
        int count = options.number("reports");
        Duration took = reports.saturated(count, inHand);
        print(
                "saturated, %d in hand: %.0f reports a second; %.1f ms CPU each, peak memory %,d MB",
                inHand,
                count / (took.toMillis() / 1e3),
                millis(millrace.process().cpu().minus(cpu), count),
                millrace.process().peakMemory() >> 20);
    }

    private void steady() throws InterruptedException {
        int perSecond = options.number("rate");
        int count = perSecond * options.number("seconds");
        Map<String, Long> threads = millrace.process().threads();
        Duration before = millrace.process().cpu();
        Measurements steady = reports.steady(perSecond, count, number -> millrace.key());
        double cpu = millis(millrace.process().cpu().minus(before), count);
        double compilers =
                ChildProcess.millis(threads, millrace.process().threads(), name -> name.contains("Compiler")) / count;
        print(
                "at %d/s: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms; %.1f ms CPU each, %.1f of them the compilers'",
                perSecond, steady.median(), steady.quantile(0.95), steady.quantile(0.99), cpu, compilers);
    }

    private static void topics(Map<String, TopicSize> before, Map<String, TopicSize> after, int reports) {
        var all = new TopicSize(0, 0);
        for (Map.Entry<String, TopicSize> topic : after.entrySet()) {
            TopicSize grown = topic.getValue().minus(before.getOrDefault(topic.getKey(), new TopicSize(0, 0)));
            all = all.plus(grown);
            if (grown.bytes() >= reports) { // what grows less is not of reports
                topic(topic.getKey(), grown, reports);
            }
        }
        topic("all topics", all, reports);
    }

    private static void topic(String name, TopicSize grown, int reports) {
        print(
                "  %-40s %8.2f offsets %,8d bytes of a report",
                name, (double) grown.offsets() / reports, grown.bytes() / reports);
    }

    private static double millis(Duration of, int reports) {
        return of.toNanos() / 1e6 / reports;
    }
}
