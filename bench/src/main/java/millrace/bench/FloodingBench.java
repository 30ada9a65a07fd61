package millrace.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.bench.notifier.BenchEvents;
import millrace.bench.notifier.NotifierSetup;
import millrace.bench.notifier.ReceiverProcess;
import millrace.bench.notifier.WebhookArrivals;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.Measurements;
import millrace.bench.process.StandaloneService;
import millrace.contracts.Hashes;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;

/**
 * Measures the latency of small reports of quiet accounts, from the moment when the POST is due to
 * the webhook that says complete, with and without one account that asks for far more than its
 * share. All of Millrace runs in one process with its default limits. The flooding account sends
 * small reports, large ones, or ones with very long filters.
 */
public final class FloodingBench {
    private static final double TARGET = 1.5;
    private static final String FLOODING = "flooding";
    private static final int SMALL = 5;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final AtomicInteger refused = new AtomicInteger();
    private final StandaloneService millrace;
    private final ChildProcess receivers;
    private final int port;
    private final BenchOptions options;
    private int sent;

    private FloodingBench(StandaloneService millrace, ChildProcess receivers, int port, BenchOptions options) {
        this.millrace = millrace;
        this.receivers = receivers;
        this.port = port;
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--cases domains,filters --accounts 100 --rate 20 --flood 500 --domains 5,200 --filters 80000"
                        + " --requests 2000 --connections 4 --warm-up 30 --seconds 20 --rounds 3"
                        + " --data bench/target/flooding --profile none",
                "--warm-up 10 --seconds 5 --rounds 1 --requests 50");
        Path data = StandaloneService.folder(options);
        Files.writeString(
                data.resolve("accounts.yaml"),
                accounts(options.number("accounts")).text());
        var profile = FlightRecording.of(options);
        try (StandaloneService millrace = StandaloneService.start(data, profile.with(StandaloneService.jvmOptions()));
                ChildProcess receivers = ChildProcess.start(ReceiverProcess.class, List.of("-Xmx256m"), "1")) {
            int port = ReceiverProcess.ports(receivers.await(ReceiverProcess.SAYS, TIMEOUT))
                    .getFirst();
            var bench = new FloodingBench(millrace, receivers, port, options);
            bench.quiet(options.number("warm-up"));
            if (options.text("cases").contains("domains")) {
                bench.compare();
            }
            if (options.text("cases").contains("filters")) {
                bench.filters();
            }
            profile.dump(millrace.process(), "flooding");
        }
    }

    private void compare() throws InterruptedException {
        for (int domains : options.numbers("domains")) {
            List<Double> alone = new ArrayList<>();
            List<Double> beside = new ArrayList<>();
            List<Double> times = new ArrayList<>();
            for (int round = 0; round < options.number("rounds"); round++) {
                alone.add(quiet(options.number("seconds")).lateP95());
                beside.add(flooded(domains).lateP95());
                times.add(beside.getLast() / alone.getLast());
            }
            print(domains, Measurements.of(alone), Measurements.of(beside), Measurements.of(times));
        }
    }

    @SuppressWarnings("SystemOut")
    private void print(int domains, Measurements alone, Measurements beside, Measurements times) {
        System.out.printf(
                Locale.ROOT,
                "%d quiet accounts, %d reports a second in all, beside %d requests a second for %d domains each:%n"
                        + "  p95 alone %s ms, beside the flood %s ms: %s times, target %.1f; peak memory %,d MB%n",
                options.number("accounts"),
                options.number("rate"),
                options.number("flood"),
                domains,
                alone,
                beside,
                times,
                TARGET,
                millrace.process().peakMemory() >> 20);
    }

    /** Measures quiet reports before and during a flood of long filters. */
    @SuppressWarnings("SystemOut")
    private void filters() throws InterruptedException {
        var flood = new FilterFloodLoad(millrace, key(FLOODING), options.number("filters"));
        WebhookArrivals.Count alone = quiet(options.number("seconds"));
        long start = System.nanoTime();
        try (var background = Executors.newSingleThreadExecutor()) {
            Future<?> flooding =
                    background.submit(() -> flood.run(options.number("requests"), options.number("connections")));
            WebhookArrivals.Count beside = quiet(() -> !flooding.isDone());
            flooding.get();
            System.out.printf(
                    Locale.ROOT,
                    "%d quiet accounts, %d reports a second in all, beside %,d requests with %,d values of a filter each,"
                            + " %d at a time, accepted in %,d s (%,d were asked to come later):%n"
                            + "  p50 alone %.1f ms, beside them %.1f ms; p95 alone %.1f ms, beside them %.1f ms: %.2f times,"
                            + " target %.1f; peak memory %,d MB%n",
                    options.number("accounts"),
                    options.number("rate"),
                    options.number("requests"),
                    options.number("filters"),
                    options.number("connections"),
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                    flood.refused(),
                    alone.lateP50(),
                    beside.lateP50(),
                    alone.lateP95(),
                    beside.lateP95(),
                    beside.lateP95() / alone.lateP95(),
                    TARGET,
                    millrace.process().peakMemory() >> 20);
            awaitIdle();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Starts the flood 2 s before the measurement, and waits for its reports before it returns. */
    @SuppressWarnings("SystemOut")
    private WebhookArrivals.Count flooded(int domains) throws InterruptedException {
        int lead = 2;
        var load = new HttpLoad(
                number -> millrace.report(key(FLOODING), StandaloneService.body((int) number, domains, "")));
        try (var background = Executors.newSingleThreadExecutor()) {
            Future<HttpLoad.Result> flood = background.submit(() ->
                    load.open(options.number("flood"), Duration.ofSeconds(options.number("seconds") + (long) lead)));
            TimeUnit.SECONDS.sleep(lead);
            WebhookArrivals.Count count = quiet(options.number("seconds"));
            HttpLoad.Result result = flood.get();
            System.out.printf(
                    Locale.ROOT,
                    "  flood of %d domains each: %,d accepted, %,d refused%n",
                    domains,
                    result.answered(),
                    result.refused());
            awaitIdle();
            return count;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Sends reports of all quiet accounts in turn, each at its time. */
    private WebhookArrivals.Count quiet(int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        return quiet(() -> System.nanoTime() < end);
    }

    private WebhookArrivals.Count quiet(BooleanSupplier goesOn) throws InterruptedException {
        tell("forget");
        int rate = options.number("rate");
        int accounts = options.number("accounts");
        long start = BenchEvents.micros();
        for (int i = 0; goesOn.getAsBoolean(); i++) {
            long due = start + i * 1_000_000L / rate;
            for (long now = BenchEvents.micros(); now < due; now = BenchEvents.micros()) {
                LockSupport.parkNanos((due - now) * 1000);
            }
            int number = sent++;
            Thread.ofVirtual().start(() -> submit("quiet" + number % accounts, number, due));
        }
        WebhookArrivals.Count arrived = count();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (arrived.requests() < sent) {
            if (System.nanoTime() > deadline || refused.get() > 0) {
                throw new IllegalStateException((millrace.process().alive() ? "" : "the process died; ")
                        + arrived.requests() + " of " + sent + " reports ended, " + refused + " were refused");
            }
            TimeUnit.MILLISECONDS.sleep(20);
            arrived = count();
        }
        return arrived;
    }

    private void submit(String account, int number, long due) {
        String webhook = ",\"webhook_url\":\"http://127.0.0.1:" + port + "/complete/" + due + "\"";
        try {
            int code = http.send(
                            millrace.report(key(account), StandaloneService.body(number, SMALL, webhook)),
                            BodyHandlers.discarding())
                    .statusCode();
            if (code != 200) {
                refused.incrementAndGet();
            }
        } catch (IOException e) {
            refused.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for the flooding account's last report; the reports of an account are rendered in
     * order.
     */
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

    private void tell(String command) throws InterruptedException {
        receivers.say(command);
        receivers.await("done " + command, TIMEOUT);
    }

    private WebhookArrivals.Count count() throws InterruptedException {
        receivers.say("count");
        return WebhookArrivals.Count.parse(receivers.await("count ", TIMEOUT));
    }

    private static String key(String account) {
        return "key-of-" + account;
    }

    private static AccountsFile accounts(int quiet) {
        return new AccountsFile(
                Stream.concat(Stream.of(FLOODING), IntStream.range(0, quiet).mapToObj(i -> "quiet" + i))
                        .map(FloodingBench::account)
                        .toList());
    }

    private static DeclaredAccount account(String id) {
        var all = new DeclaredAccount.Entitlement(
                List.of("US", "GB", "WW"), LocalDate.parse("2020-01-01"), LocalDate.parse("2026-12-31"));
        return new DeclaredAccount(
                id,
                id,
                List.of(new DeclaredAccount.Key(DeclaredAccount.Kind.BATCH, Hashes.sha256(key(id)), null, null)),
                1_000_000_000_000L,
                Map.of("web_desktop_data", all, "web_mobile_data", all),
                null,
                List.of(NotifierSetup.SECRET));
    }
}
