package millrace.bench.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import millrace.contracts.Json;

/**
 * Small reports, from the POST to the webhook that says complete, whose receiver is in this process. Each asks for
 * other domains.
 */
public final class RoundTrips implements AutoCloseable {
    /** Domains of a report, which has about 900 rows. */
    private static final int DOMAINS = 5;

    private final HttpClient http = HttpLoad.client();
    private final Map<String, Long> due = new ConcurrentHashMap<>();
    private final Map<String, Long> completedAt = new ConcurrentHashMap<>();
    private final Queue<Double> latencies = new ConcurrentLinkedQueue<>();
    private final StandaloneService millrace;
    private final HttpServer receiver;
    private volatile Runnable onEnd = () -> {};

    public RoundTrips(StandaloneService millrace) throws IOException {
        this.millrace = millrace;
        // Otherwise each answer on a kept connection waits 40 ms for the sender's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        receiver.createContext("/", this::receive);
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.start();
    }

    /**
     * Sends at a rate that waits for nothing, and waits for all ends.
     *
     * @param key of the account of each report
     * @return milliseconds from when each POST was due
     */
    public Measurements steady(int perSecond, int count, IntFunction<String> key) throws InterruptedException {
        latencies.clear();
        var ended = new CountDownLatch(count);
        onEnd = ended::countDown;
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long at = start + i * 1_000_000_000L / perSecond;
            HttpLoad.parkUntil(at);
            int number = i;
            Thread.ofVirtual().start(() -> submit(number, key.apply(number), at));
        }
        await(ended);
        return Measurements.of(latencies);
    }

    /** Has so many reports made, with a number of them in progress. */
    public Duration saturated(int count, int inHand) throws InterruptedException {
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
            Thread.ofVirtual().start(() -> submit(number, millrace.key(), System.nanoTime()));
        }
        await(ended);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void await(CountDownLatch ended) throws InterruptedException {
        if (!ended.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException(ended.getCount() + " reports have not ended"
                    + (millrace.process().alive() ? "" : ": the process died"));
        }
    }

    private void submit(int number, String key, long at) {
        String webhook =
                ",\"webhook_url\":\"http://127.0.0.1:" + receiver.getAddress().getPort() + "/\"";
        try {
            String id = HttpLoad.json(http, millrace.report(key, StandaloneService.body(number, DOMAINS, webhook)))
                    .path("report_id")
                    .asText();
            due.put(id, at);
            // The webhook may have arrived before this answer.
            Long came = completedAt.remove(id);
            if (came != null) {
                ended(id, came);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a report was not answered", e);
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

    @Override
    public void close() {
        receiver.stop(0);
    }
}
