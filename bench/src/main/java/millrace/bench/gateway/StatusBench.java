package millrace.bench.gateway;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongFunction;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.Folders;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.Measurements;
import millrace.bench.process.SingleGateway;
import millrace.gateway.copy.reports.HistoryCursor;

/**
 * Measures status reads a second with a million reports in the read model, beside a bare GET of the same stack. Also
 * measures how long a gateway takes to fold them at its start, and to start again with its folder, its memory, its
 * files, and pages of the history. The newest reports are polled, as clients do, and then random ones, closed loop,
 * medians of the rounds. With {@code --activity true} each report has the events, ledger entries and attempt that follow
 * from it, and the routes over the activity store are asked, too.
 */
public final class StatusBench {
    /** Connections that ask for pages: how long one takes matters there, not how many a machine makes. */
    private static final int FEW = 2;

    private static final int DAYS = 29;

    private final BenchOptions options;
    private final BenchKafka kafka;
    private final boolean activity;
    private final int reports;
    private final Instant begin = Instant.now().minus(Duration.ofDays(DAYS));
    private final Duration between;

    private StatusBench(BenchOptions options, BenchKafka kafka) {
        this.options = options;
        this.kafka = kafka;
        this.activity = Boolean.parseBoolean(options.text("activity"));
        this.reports = options.number("reports");
        this.between = Duration.ofDays(DAYS).dividedBy(reports);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 1000000 --activity false --newest 20000 --seconds 10 --rounds 3 --connections 64 --heap 512m",
                "--reports 20000 --seconds 3 --rounds 1");
        try (BenchKafka kafka = BenchKafka.start()) {
            new StatusBench(options, kafka).measure();
        }
    }

    private void measure() throws IOException, InterruptedException {
        long records = fill();
        long start = System.nanoTime();
        try (SingleGateway gateway = started("without its folder");
                BareServer bare = BareServer.start(kafka)) {
            gateway.awaitActivity(SingleGateway.ACCOUNT);
            double seconds = (System.nanoTime() - start) / 1e9;
            print(
                    "activity store built %.1f s after the start, %,.0f of %,d records a second",
                    seconds, records / seconds, records);
            for (String folder : List.of("read-model", "activity")) {
                long bytes = Folders.bytes(kafka.folder().resolve(folder));
                print("%,d bytes of %s for each report", bytes / reports, folder);
            }
            int newest = Math.min(reports, options.number("newest"));
            int connections = options.number("connections");
            double theirs = measure("bare", connections, number -> bare.get());
            double cached = measure(
                    "status of the newest", connections, number -> status(gateway, reports - 1 - number % newest));
            double any = measure("status of any", connections, number -> status(gateway, any(number)));
            double unused = measure("history of 100", FEW, number -> history(gateway, any(number)));
            print(
                    "status: %.2f of bare for the newest %,d, %.2f for any; peak memory %,d MB",
                    cached / theirs, newest, any / theirs, gateway.process().peakMemory() >> 20);
            if (activity) {
                ask(gateway);
            }
        }
        started("with its folder").close();
    }

    /** Has the routes over the activity store answer. */
    private void ask(SingleGateway gateway) throws InterruptedException {
        String usage = "/v3/batch/credits/usage?to=%s&from=".formatted(LocalDate.now(ZoneOffset.UTC));
        Map<String, LongFunction<String>> questions = new LinkedHashMap<>();
        questions.put("100 ledger entries", number -> "/v3/batch/credits/entries?limit=100");
        questions.put(
                "usage of 30 days",
                number -> usage + LocalDate.now(ZoneOffset.UTC).minusDays(DAYS));
        questions.put(
                "usage of 400 days",
                number -> usage + LocalDate.now(ZoneOffset.UTC).minusDays(399));
        questions.put("a timeline", number -> "/v3/batch/report-timeline/" + id(any(number)));
        for (Map.Entry<String, LongFunction<String>> one : questions.entrySet()) {
            double unused = measure(
                    one.getKey(), FEW, number -> gateway.request(one.getValue().apply(number))
                            .build());
        }
    }

    private SingleGateway started(String how) throws IOException, InterruptedException {
        long start = System.nanoTime();
        SingleGateway gateway = SingleGateway.start(kafka, "-Xmx" + options.text("heap"));
        print(
                "ready %.1f s after a start %s, peak memory %,d MB",
                (System.nanoTime() - start) / 1e9, how, gateway.process().peakMemory() >> 20);
        return gateway;
    }

    private double measure(String name, int connections, LongFunction<HttpRequest> requests)
            throws InterruptedException {
        var load = new HttpLoad(requests);
        Duration duration = Duration.ofSeconds(options.number("seconds"));
        List<Double> perSecond = new ArrayList<>();
        for (int round = 0; round <= options.number("rounds"); round++) {
            HttpLoad.Result result = load.closed(connections, duration);
            if (result.answered() == 0) {
                throw new IllegalStateException(name + ": " + result);
            }
            if (round > 0) { // the first is for warming up
                print("  %s: %s", name, result);
                perSecond.add(result.perSecond());
            }
        }
        return Measurements.of(perSecond).median();
    }

    private static HttpRequest status(SingleGateway gateway, long report) {
        return gateway.request("/v3/batch/request-status/" + id(report)).build();
    }

    private HttpRequest history(SingleGateway gateway, long report) {
        String cursor = new HistoryCursor(at(report).toEpochMilli(), id(report)).text();
        return gateway.request("/v3/batch/report-history?limit=100&cursor=" + cursor)
                .build();
    }

    private long any(long number) {
        return Math.floorMod(number * 7_919, (long) reports);
    }

    private Instant at(long number) {
        return begin.plus(between.multipliedBy(number));
    }

    private static UUID id(long number) {
        return UUID.nameUUIDFromBytes(("report-" + number).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the number of records. */
    private long fill() {
        try (var producer = kafka.producer(20, 1 << 18)) {
            var history = new History(producer);
            for (int number = 0; number < reports; number++) {
                history.write(id(number), at(number), activity);
            }
            return history.records();
        }
    }
}
