package millrace.bench.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A gateway as a process. */
public record SingleGateway(ChildProcess process, String address) implements AutoCloseable {
    /** An account of most benchmarks. */
    public static final String ACCOUNT = "bench";

    public static final String KEY = BenchAccounts.key(ACCOUNT);
    /** Heap options of the gateway's image. */
    public static final List<String> IMAGE_OPTIONS = Stream.concat(
                    StandaloneService.HEAP.stream(), Stream.of("-XX:+UseCompactObjectHeaders"))
            .toList();

    private static final String STARTED = "gateway started address=";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration SLOW_POLL = Duration.ofMillis(500);

    /** Starts it for one account with the heap options of its image, and waits until it is ready. */
    public static SingleGateway start(BenchKafka kafka, String... jvmOptions) throws IOException, InterruptedException {
        Path unused = BenchAccounts.write(kafka.folder(), Stream.of(ACCOUNT));
        return start(kafka, kafka.folder(), List.of(jvmOptions));
    }

    /**
     * As {@link #start(BenchKafka, String...)}, with the accounts of {@code accounts.yaml} in the broker's folder.
     *
     * @param own folder of this gateway alone
     */
    public static SingleGateway start(BenchKafka kafka, Path own, List<String> jvmOptions, String... settings)
            throws IOException, InterruptedException {
        List<String> options =
                Stream.concat(IMAGE_OPTIONS.stream(), jvmOptions.stream()).toList();
        ChildProcess process = Service.GATEWAY.launch(kafka, own, options, settings);
        String line = process.await(STARTED, TIMEOUT);
        String address = line.substring(line.indexOf(STARTED) + STARTED.length(), line.indexOf(" instanceId="));
        await(HttpRequest.newBuilder(URI.create(address + "/health/readiness")).build(), POLL);
        return new SingleGateway(process, address);
    }

    /** A request for five domains in three countries over ten months, the size of most requests. */
    public HttpRequest post(String operation, long number) {
        String body = """
                {"domains":["a%1$d.example","b%1$d.example","c%1$d.example","d%1$d.example","e%1$d.example"],
                 "countries":["US","GB","WW"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2025-01","end_date":"2025-10","granularity":"monthly"}""".formatted(number);
        return request("/v3/batch/demographics/" + operation)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    public HttpRequest.Builder request(String path) {
        return request(path, KEY);
    }

    HttpRequest.Builder request(String path, String key) {
        return HttpLoad.request(URI.create(address + path)).header("api-key", key);
    }

    @Override
    public void close() {
        process.close();
    }

    /** Waits until it has read what happened to the account, which it is ready without. */
    public void awaitActivity(String account) throws InterruptedException {
        await(
                request("/v3/batch/credits/entries?limit=1", BenchAccounts.key(account))
                        .build(),
                SLOW_POLL);
    }

    /** Waits for a status 200, as long as other answers change. */
    private static void await(HttpRequest request, Duration poll) throws InterruptedException {
        String last = "";
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            while (answer.statusCode() != 200) {
                if (!answer.body().equals(last)) {
                    last = answer.body();
                    deadline = System.nanoTime() + TIMEOUT.toNanos();
                } else if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(request.uri() + " has answered for " + TIMEOUT + ": " + last);
                }
                LockSupport.parkNanos(poll.toNanos());
                answer = http.send(request, BodyHandlers.ofString());
            }
        } catch (IOException e) {
            throw new IllegalStateException("the gateway does not answer", e);
        }
    }
}
