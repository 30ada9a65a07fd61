package millrace.e2e.cluster;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.Json;
import millrace.e2e.data.DemoRequests;
import org.jspecify.annotations.Nullable;

/**
 * Submits small reports at a steady pace. A client follows each report to its end, repeats unanswered requests, and
 * uses another entrance where one does not answer.
 */
final class SteadyLoad implements AutoCloseable {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final String PATH = "/v3/batch/demographics/";

    private final Cluster cluster;
    private final String name;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Integer, Followed> all = new ConcurrentSkipListMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();

    /** @param complete when the client saw the end, null before */
    record Followed(
            Instant submitted,
            @Nullable String report,
            @Nullable Instant complete) {}

    private SteadyLoad(Cluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
    }

    static SteadyLoad start(Cluster cluster, String name, int perSecond) {
        var load = new SteadyLoad(cluster, name);
        var unused = load.clock.scheduleAtFixedRate(
                () -> load.clients.execute(load::follow), 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
        return load;
    }

    /** Submits this number of further reports. */
    void more(int reports) {
        int until = numbers.get() + reports;
        await("load").atMost(TIMEOUT).until(() -> numbers.get() >= until);
    }

    /** Stops submitting; returns when all submitted reports are complete. */
    List<Followed> finish() {
        clock.shutdown();
        await(name + ": all complete")
                .atMost(TIMEOUT)
                .until(() -> all.size() == numbers.get()
                        && all.values().stream().allMatch(followed -> followed.complete() != null));
        return List.copyOf(all.values());
    }

    /** Number of requests without an answer, or with one that asks to retry. */
    int unanswered() {
        return unanswered.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        clients.shutdownNow();
        http.shutdownNow();
    }

    private void follow() {
        int number = numbers.incrementAndGet();
        Instant submitted = Instant.now();
        all.put(number, new Followed(submitted, null, null));
        String body = DemoRequests.with(DemoRequests.small(number), cluster.webhookUrl());
        String report = until("request-report", number, body, "report_id");
        all.put(number, new Followed(submitted, report, null));
        String status;
        do {
            status = until("../request-status/" + report + "?min_sequence=2", number, null, "status");
        } while (status.equals("processing"));
        if (!status.equals("complete")) {
            throw new AssertionError(report + " is " + status);
        }
        all.put(number, new Followed(submitted, report, Instant.now()));
    }

    /** Repeats a request until an answer has this field. */
    private String until(String path, int number, @Nullable String body, String field) {
        for (int turn = number; ; turn++) {
            List<String> entrances = cluster.entrances();
            URI address = URI.create(entrances.get(turn % entrances.size()) + PATH + path)
                    .normalize();
            try {
                HttpResponse<byte[]> answer = http.send(request(address, number, body), BodyHandlers.ofByteArray());
                JsonNode json =
                        answer.statusCode() == 200 ? Json.MAPPER.readTree(answer.body()) : Json.MAPPER.nullNode();
                if (json.hasNonNull(field)) {
                    return json.path(field).asText();
                }
            } catch (IOException e) {
                // counts as no answer
            } catch (InterruptedException e) {
                throw new IllegalStateException("the load has ended", e);
            }
            unanswered.incrementAndGet();
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private HttpRequest request(URI address, int number, @Nullable String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(ANSWER_WITHIN).header("api-key", cluster.key());
        if (body != null) {
            request.header("content-type", "application/json")
                    .header("Idempotency-Key", name + "-" + number)
                    .POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return request.build();
    }
}
