package millrace.bench;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.Measurements;
import millrace.bench.process.RoundTrips;
import millrace.bench.process.StandaloneService;
import millrace.standalone.demo.DemoNames;

/**
 * Measures the latency of small reports of quiet accounts, from the moment when the POST is due to the webhook that says
 * complete, with and without one account that asks for far more than its share. All of Millrace runs in one process with
 * its default limits. The flooding account sends small reports, large ones, or ones with very long filters.
 */
public final class FloodingBench {
    private static final double TARGET = 1.5;
    private static final String FLOODING = "flooding";
    /** Seconds of the flood before the measurement. */
    private static final int LEAD = 2;
    /** Requests with long filters; making one takes too long for a flood. */
    private static final int BODIES = 16;

    private final BenchOptions options;
    private final StandaloneService millrace;
    private final RoundTrips reports;

    private FloodingBench(BenchOptions options, StandaloneService millrace, RoundTrips reports) {
        this.options = options;
        this.millrace = millrace;
        this.reports = reports;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--cases domains,filters --accounts 100 --rate 20 --flood 500 --domains 5,200 --filters 80000"
                        + " --requests 2000 --filter-rate 10 --warm-up 30 --seconds 20 --rounds 3"
                        + " --data bench/target/flooding",
                "--warm-up 10 --seconds 5 --rounds 1 --requests 50");
        Path data = StandaloneService.folder(options);
        Path unused = BenchAccounts.write(
                data,
                Stream.concat(
                        Stream.of(FLOODING),
                        IntStream.range(0, options.number("accounts")).mapToObj(i -> "quiet" + i)));
        try (StandaloneService millrace = StandaloneService.start(data);
                var reports = new RoundTrips(millrace)) {
            new FloodingBench(options, millrace, reports).measure();
        }
    }

    private void measure() throws InterruptedException {
        quiet(options.number("warm-up"));
        if (options.text("cases").contains("domains")) {
            for (int domains : options.numbers("domains")) {
                compare(
                        domains + " domains",
                        options.number("flood"),
                        options.number("seconds"),
                        options.number("rounds"),
                        number -> flood(StandaloneService.body((int) number, domains, "")));
            }
        }
        if (options.text("cases").contains("filters")) {
            int rate = options.number("filter-rate");
            List<HttpRequest> requests = IntStream.range(0, BODIES)
                    .mapToObj(number -> flood(filters(number)))
                    .toList();
            compare(
                    options.text("filters") + " values of a filter",
                    rate,
                    options.number("requests") / rate,
                    1,
                    number -> requests.get((int) (number % BODIES)));
        }
    }

    private HttpRequest flood(String body) {
        return millrace.report(BenchAccounts.key(FLOODING), body);
    }

    /** Measures quiet reports in turns without the flood and beside it. */
    private void compare(String what, int perSecond, int seconds, int rounds, LongFunction<HttpRequest> requests)
            throws InterruptedException {
        List<Double> alone = new ArrayList<>();
        List<Double> beside = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            alone.add(quiet(options.number("seconds")).quantile(0.95));
            beside.add(beside(new HttpLoad(requests), perSecond, seconds).quantile(0.95));
            times.add(beside.getLast() / alone.getLast());
        }
        print(
                "p95 of %d quiet accounts, %d reports a second in all, beside %d requests a second for %s each:%n"
                        + "  alone %s ms, beside the flood %s ms: %s times, target %.1f; peak memory %,d MB",
                options.number("accounts"),
                options.number("rate"),
                perSecond,
                what,
                Measurements.of(alone),
                Measurements.of(beside),
                Measurements.of(times),
                TARGET,
                millrace.process().peakMemory() >> 20);
    }

    /** Starts the flood before the measurement, and waits for its reports before it returns. */
    private Measurements beside(HttpLoad load, int perSecond, int seconds) throws InterruptedException {
        try (var background = Executors.newSingleThreadExecutor()) {
            Future<HttpLoad.Result> flood =
                    background.submit(() -> load.open(perSecond, Duration.ofSeconds((long) seconds + LEAD)));
            TimeUnit.SECONDS.sleep(LEAD);
            Measurements quiet = quiet(seconds);
            HttpLoad.Result result = flood.get();
            print(
                    "  p50 of quiet accounts %.1f ms; of the flood %,d accepted, %,d refused",
                    quiet.median(), result.answered(), result.refused());
            awaitIdle();
            return quiet;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Sends reports of all quiet accounts in turn, each at its time. */
    private Measurements quiet(int seconds) throws InterruptedException {
        int rate = options.number("rate");
        int accounts = options.number("accounts");
        return reports.steady(rate, rate * seconds, number -> BenchAccounts.key("quiet" + number % accounts));
    }

    /** Waits for the flooding account's last report, when the process uses little. */
    private void awaitIdle() throws InterruptedException {
        Duration before = millrace.process().cpu();
        while (true) {
            TimeUnit.SECONDS.sleep(1);
            Duration now = millrace.process().cpu();
            if (now.minus(before).toMillis() < 300) {
                return;
            }
            before = now;
        }
    }

    private String filters(int number) {
        int values = options.number("filters");
        String keywords = IntStream.range(0, values)
                .mapToObj(i -> '"' + Integer.toString(1_000_000 + number * values + i, 36) + '"')
                .collect(Collectors.joining(","));
        return """
                {"domains":["%s"],"countries":["US"],"metrics":["desktop_keywords_total_visits"],
                 "start_date":"2026-10-19","end_date":"2026-10-26","granularity":"weekly","keywords":[%s]}""".formatted(DemoNames.domains().get(number), keywords);
    }
}
