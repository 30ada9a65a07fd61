package millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.Measurements;
import millrace.bench.process.StandaloneService;
import millrace.bench.process.ThreadUse;
import millrace.contracts.Json;

/**
 * Measures small reports from the POST to the webhook that says complete, with all of Millrace in
 * one process: at a steady rate, with latencies from the moment when the POST was due, and then
 * saturated with a number of reports in progress. Each report asks for other domains.
 */
public final class RoundTripBench {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final Map<String, Long> due = new ConcurrentHashMap<>();
    private final Map<String, Long> completedAt = new ConcurrentHashMap<>();
    private final Queue<Double> latencies = new ConcurrentLinkedQueue<>();
    private final StandaloneService millrace;
    private final String webhook;
    private volatile Runnable onEnd = () -> {};

    private RoundTripBench(StandaloneService millrace, HttpServer receiver) {
        this.millrace = millrace;
        this.webhook = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
        receiver.createContext("/", this::receive);
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.start();
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--rate 50 --seconds 60 --rounds 3 --in-hand 100 --reports 6000 --warm-up 25000 --data bench/target/round-trip --threads 0 --profile none",
                "--seconds 5 --rounds 1 --reports 500 --warm-up 200");
        var profile = FlightRecording.of(options);
        Path data = StandaloneService.folder(options);
        // Otherwise each answer on a kept connection waits 40 ms for the sender's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        try (StandaloneService millrace = StandaloneService.start(
                data,
                profile.with(StandaloneService.jvmOptions()),
                "--gateway.requests-per-second=1000000",
                "--gateway.open-reports=1000000",
                // All go to one endpoint, whose rate is limited by default.
                "--notifier.per-second-per-endpoint=1000000")) {
            ChildProcess process = millrace.process();
            var bench = new RoundTripBench(millrace, receiver);
            System.out.println("one report: " + bench.rows() + " rows");
            Duration warmUp = bench.saturated(options.number("warm-up"), options.number("in-hand"));
            System.out.printf(
                    Locale.ROOT, "warm-up: %,d reports in %d s%n", options.number("warm-up"), warmUp.toSeconds());

            for (int round = 0; round < options.number("rounds"); round++) {
                bench.measureSteady(options);
            }
            Duration before = process.cpu();
            int reports = options.number("reports");
            Duration took = bench.saturated(reports, options.number("in-hand"));
            System.out.printf(
                    Locale.ROOT,
                    "saturated, %d in hand: %.0f reports a second; %.1f ms CPU each, peak memory %,d MB%n",
                    options.number("in-hand"),
                    reports / (took.toMillis() / 1e3),
                    process.cpu().minus(before).toMillis() / (double) reports,
                    process.peakMemory() >> 20);
            profile.dump(process, "round-trip");
        } finally {
            receiver.stop(0);
        }
    }

    @SuppressWarnings("SystemOut")
    private void measureSteady(BenchOptions options) throws InterruptedException {
        int perSecond = options.number("rate");
        int count = perSecond * options.number("seconds");
        Map<String, ThreadUse> threads = millrace.process().threads();
        Duration before = millrace.process().cpu();
        Measurements steady = steady(perSecond, count);
        double cpu = millis(millrace.process().cpu().minus(before), count);
        Map<String, ThreadUse> used =
                ThreadUse.between(threads, millrace.process().threads());
        double compilers = used.entrySet().stream()
                .filter(part -> part.getKey().contains("Compiler"))
                .mapToDouble(part -> millis(part.getValue().cpu(), count))
                .sum();
        System.out.printf(
                Locale.ROOT,
                "at %d/s: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms; %.1f ms CPU each, %.1f of them the compilers'%n",
                perSecond,
                steady.median(),
                steady.quantile(0.95),
                steady.quantile(0.99),
                cpu,
                compilers);
        ThreadUse.print(used, options.number("threads"), count);
    }

    private static double millis(Duration of, int reports) {
        return of.toNanos() / 1e6 / reports;
    }

    private Measurements steady(int perSecond, int count) throws InterruptedException {
        latencies.clear();
        var ended = new CountDownLatch(count);
        onEnd = ended::countDown;
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long at = start + i * 1_000_000_000L / perSecond;
            while (System.nanoTime() < at) {
                LockSupport.parkNanos(at - System.nanoTime());
            }
            int number = i;
            Thread.ofVirtual().start(() -> submit(number, at));
        }
        await(ended);
        return Measurements.of(
                latencies.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private Duration saturated(int count, int inHand) throws InterruptedException {
        var ended = new CountDownLatch(count);
        var room = new Semaphore(inHand);
        onEnd = () -> {
            room.release();
            ended.countDown();
        };
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            room.acquire();
            int number = i;
            Thread.ofVirtual().start(() -> submit(number, System.nanoTime()));
        }
        await(ended);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void await(CountDownLatch ended) throws InterruptedException {
        if (!ended.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException(ended.getCount() + " reports have not ended");
        }
    }

    private void submit(int number, long at) {
        try {
            String id = send(body(number)).path("report_id").asText();
            due.put(id, at);
            // The webhook may have arrived before this answer.
            Long came = completedAt.remove(id);
            if (came != null) {
                ended(id, came);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a report was refused", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode payload = Json.MAPPER.readTree(exchange.getRequestBody()).path("payload");
            exchange.sendResponseHeaders(204, -1);
            if (payload.path("status").asText().equals("complete")) {
                ended(payload.path("report_id").asText(), System.nanoTime());
            }
        }
    }

    private void ended(String id, long when) {
        completedAt.put(id, when);
        Long since = due.remove(id);
        if (since != null) {
            completedAt.remove(id);
            latencies.add((when - since) / 1e6);
            onEnd.run();
        }
    }

    private long rows() throws IOException, InterruptedException {
        String id = send(body(0)).path("report_id").asText();
        while (true) {
            JsonNode status = get("/v3/batch/request-status/" + id);
            if (!status.path("status").asText().equals("processing")) {
                return status.path("row_count").asLong();
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** A report of about 900 rows. */
    private String body(int number) {
        return StandaloneService.body(number, 5, ",\"webhook_url\":\"" + webhook + "\"");
    }

    private JsonNode send(String body) throws IOException, InterruptedException {
        var answer = http.send(millrace.report(millrace.key(), body), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
        return Json.MAPPER.readTree(answer.body());
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request = millrace.request(path, millrace.key()).build();
        return Json.MAPPER.readTree(http.send(request, BodyHandlers.ofString()).body());
    }
}
