package millrace.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.bench.process.StandaloneService;
import millrace.standalone.demo.DemoNames;

/**
 * Sends requests of one account with very many values of a filter over some connections, each
 * waiting for its answer.
 */
final class FilterFloodLoad {
    private static final int BODIES = 16;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final StandaloneService millrace;
    private final List<HttpRequest> requests;

    /** @param values of the filter, different in each body */
    FilterFloodLoad(StandaloneService millrace, String key, int values) {
        this.millrace = millrace;
        this.requests = IntStream.range(0, BODIES)
                .mapToObj(i -> millrace.request("/v3/batch/site_keywords/request-report", key)
                        .header("content-type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body(i, values)))
                        .build())
                .toList();
    }

    /** Number of answers that asked to retry later. */
    int refused() {
        return refused.get();
    }

    /**
     * Blocks until so many requests have been accepted; repeats those that are to be retried later.
     *
     * @throws IllegalStateException where a request is answered otherwise, or not at all
     */
    void run(int count, int connections) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, connections)
                    .mapToObj(i -> threads.submit(() -> {
                        while (numbers.getAndIncrement() < count) {
                            accepted(requests.get(numbers.get() % BODIES));
                        }
                        return null;
                    }))
                    .toList();
            for (var one : running) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(
                    millrace.process().alive() ? "a request was not accepted" : "the process died", e.getCause());
        }
    }

    private void accepted(HttpRequest request) throws IOException, InterruptedException {
        while (true) {
            var answer = http.send(request, BodyHandlers.ofString());
            switch (answer.statusCode()) {
                case 200 -> {
                    return;
                }
                case 429, 503 -> refused.incrementAndGet();
                default -> throw new IllegalStateException(answer.statusCode() + ": " + answer.body());
            }
            Thread.sleep(answer.headers()
                    .firstValue("Retry-After")
                    .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
                    .orElse(PAUSE));
        }
    }

    private static byte[] body(int number, int values) {
        var keywords = new StringBuilder();
        for (int i = 0; i < values; i++) {
            keywords.append(i == 0 ? "\"" : ",\"")
                    .append(Integer.toString(1_000_000 + number * values + i, 36))
                    .append('"');
        }
        String domain = DemoNames.domains().get(number);
        return """
                {"domains":["%s"],"countries":["US"],"metrics":["desktop_keywords_total_visits"],
                 "start_date":"2026-10-19","end_date":"2026-10-26","granularity":"weekly","keywords":[%s]}""".formatted(domain, keywords).getBytes(StandardCharsets.UTF_8);
    }
}
