package millrace.bench.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import millrace.contracts.Json;

/** Sends requests over kept connections, in a closed or an open loop. */
public final class HttpLoad {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient http = client();
    private final LongFunction<HttpRequest> requests;
    private final AtomicLong numbers = new AtomicLong();

    /** @param requests makes a request from a number that is never repeated */
    public HttpLoad(LongFunction<HttpRequest> requests) {
        this.requests = requests;
    }

    public static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /**
     * A request with a timeout, after which it counts as refused: at high rates the client itself
     * has been seen to lose one.
     */
    public static HttpRequest.Builder request(URI address) {
        return HttpRequest.newBuilder(address).timeout(TIMEOUT);
    }

    /**
     * The JSON of an answer.
     *
     * @throws IllegalStateException if it is not 200
     */
    public static JsonNode json(HttpClient http, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        return Json.MAPPER.readTree(answer.body());
    }

    /** @param latencies in milliseconds */
    public record Result(long answered, long refused, Duration took, Measurements latencies) {
        public double perSecond() {
            return answered / (took.toNanos() / 1e9);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,.0f/s, p50 %.1f ms, p95 %.1f ms, p99 %.1f ms%s",
                    perSecond(),
                    latencies.median(),
                    latencies.quantile(0.95),
                    latencies.quantile(0.99),
                    refused == 0 ? "" : ", " + refused + " without a 200");
        }
    }

    /** Sends as fast as the connections can, each waiting for its answer. */
    public Result closed(int connections, Duration duration) throws InterruptedException {
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        return gather(start, connections, (tally, i) -> {
            while (System.nanoTime() < end) {
                tally.request(System.nanoTime());
            }
        });
    }

    /**
     * Sends at a rate that does not wait for answers. Latencies count from the moment when a
     * request was due.
     */
    public Result open(double perSecond, Duration duration) throws InterruptedException {
        int count = (int) (perSecond * duration.toSeconds());
        long start = System.nanoTime();
        return gather(start, count, (tally, i) -> {
            long due = start + (long) (i * 1e9 / perSecond);
            parkUntil(due);
            tally.request(due);
        });
    }

    /** @param nanoTime as {@link System#nanoTime} */
    public static void parkUntil(long nanoTime) {
        while (System.nanoTime() < nanoTime) {
            LockSupport.parkNanos(nanoTime - System.nanoTime());
        }
    }

    private interface Worker {
        void run(Tally tally, int number);
    }

    private Result gather(long start, int workers, Worker worker) throws InterruptedException {
        var tally = new Tally();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int number = i;
                running.add(threads.submit(() -> worker.run(tally, number)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return tally.result(Duration.ofNanos(System.nanoTime() - start));
    }

    private final class Tally {
        private final ConcurrentLinkedQueue<Double> latencies = new ConcurrentLinkedQueue<>();
        private final AtomicLong refused = new AtomicLong();

        void request(long due) {
            try {
                int code = http.send(requests.apply(numbers.getAndIncrement()), BodyHandlers.discarding())
                        .statusCode();
                if (code == 200) {
                    latencies.add((System.nanoTime() - due) / 1e6);
                } else {
                    refused.incrementAndGet();
                }
            } catch (IOException e) {
                refused.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        Result result(Duration took) {
            return new Result(latencies.size(), refused.get(), took, Measurements.of(latencies));
        }
    }
}
