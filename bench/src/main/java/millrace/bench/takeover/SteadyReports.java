package millrace.bench.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.bench.notifier.BenchEvents;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.HttpLoad;
import millrace.bench.rendering.DemographicsTable;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/**
 * Asks for small reports at a rate that waits for nothing. A client follows each of them to its end: what was not
 * answered it repeats after 100 ms, with the same Idempotency-Key, at the other gateway.
 */
final class SteadyReports implements AutoCloseable {
    private static final int DOMAINS = 5;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final HttpClient http = HttpLoad.client();
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final List<FollowedReport> all = new CopyOnWriteArrayList<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Supplier<List<String>> gateways;
    private final List<LoadAccount> accounts;
    private final DemographicsTable table;
    private final String webhook;
    private final Thread pace;
    private volatile boolean stopping;

    /** @param gateways their addresses at the moment */
    SteadyReports(
            Supplier<List<String>> gateways,
            List<LoadAccount> accounts,
            DemographicsTable table,
            String webhook,
            int perSecond) {
        this.gateways = gateways;
        this.accounts = accounts;
        this.table = table;
        this.webhook = webhook;
        this.pace = Thread.ofPlatform().name("pace").daemon().unstarted(() -> send(perSecond));
    }

    void start() {
        pace.start();
    }

    /**
     * All requests so far, in the order in which they were due.
     *
     * @throws IllegalStateException if one was refused, or its report failed
     */
    List<FollowedReport> all() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a client ended", failed);
        }
        return List.copyOf(all);
    }

    /** Requests that were not answered, or told to come again. */
    int repeated() {
        return repeated.get();
    }

    /** Sends no further requests. */
    void stop() throws InterruptedException {
        stopping = true;
        pace.join();
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clients.shutdownNow();
        http.shutdownNow();
    }

    private void send(int perSecond) {
        long start = BenchEvents.micros();
        long nanos = System.nanoTime();
        for (int number = 0; !stopping; number++) {
            long after = number * 1_000_000L / perSecond;
            HttpLoad.parkUntil(nanos + after * 1000);
            var report = new FollowedReport(number, accounts.get(number % accounts.size()), start + after);
            all.add(report);
            clients.execute(() -> follow(report));
        }
    }

    private void follow(FollowedReport report) {
        try {
            int first = report.number * DOMAINS % (table.domains() - DOMAINS);
            String body = table.request(first, DOMAINS, ",\"webhook_url\":\"" + webhook + "\"");
            String id = answer(report, gateway -> request(report, gateway + "/v3/batch/demographics/request-report")
                            .header("content-type", "application/json")
                            .header("Idempotency-Key", "take-over-" + report.number)
                            .POST(BodyPublishers.ofString(body))
                            .build())
                    .path("report_id")
                    .asText();
            report.id = id;
            report.answered = BenchEvents.micros();
            String status;
            do {
                // The gateway answers when it knows the end, or after a second.
                status = answer(report, gateway -> request(
                                        report, gateway + "/v3/batch/request-status/" + id + "?min_sequence=2")
                                .build())
                        .path("status")
                        .asText();
            } while (status.equals("processing"));
            if (!status.equals("complete")) {
                throw new IllegalStateException("report " + id + " is " + status);
            }
            report.ended = BenchEvents.micros();
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the load is closed
        }
    }

    private static HttpRequest.Builder request(FollowedReport report, String address) {
        return HttpRequest.newBuilder(URI.create(address))
                .timeout(ANSWER_WITHIN)
                .header("api-key", BenchAccounts.key(report.account.id()));
    }

    /** Repeats a request until it is answered with 200. */
    private JsonNode answer(FollowedReport report, Function<String, HttpRequest> request)
            throws IOException, InterruptedException {
        for (int turn = report.number; ; turn++) {
            List<String> addresses = gateways.get();
            HttpRequest one = request.apply(addresses.get(turn % addresses.size()));
            HttpResponse<byte[]> answer = send(one);
            if (answer != null && answer.statusCode() == 200) {
                return Json.MAPPER.readTree(answer.body());
            }
            if (answer != null && answer.statusCode() != 503) {
                throw new IOException(one.uri() + ": " + answer.statusCode() + " "
                        + new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8));
            }
            repeated.incrementAndGet();
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** Null if the gateway does not answer. */
    private @Nullable HttpResponse<byte[]> send(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, BodyHandlers.ofByteArray());
        } catch (IOException e) {
            return null;
        }
    }
}
