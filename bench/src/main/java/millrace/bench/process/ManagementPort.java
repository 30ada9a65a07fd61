package millrace.bench.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Asks a service that was started with {@link #ANY} whether it is ready. */
public final class ManagementPort {
    /** The setting for any free port. */
    public static final String ANY = "--management.port=0";

    private static final String STARTED = "metrics=";
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private ManagementPort() {}

    /**
     * Waits until the service is ready. What it has printed before is not read again.
     *
     * @throws IllegalStateException where that takes longer, or its process ends, with the last lines
     */
    public static void awaitReady(ChildProcess service, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        String line = service.await(STARTED, timeout);
        String metrics =
                line.substring(line.indexOf(STARTED) + STARTED.length()).strip();
        HttpRequest ready = HttpRequest.newBuilder(URI.create(metrics).resolve("/health/ready"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!isReady(http, ready)) {
                if (!service.alive() || System.nanoTime() > deadline) {
                    service.await("answer that it is ready", Duration.ZERO);
                }
                LockSupport.parkNanos(INTERVAL.toNanos());
            }
        }
    }

    private static boolean isReady(HttpClient http, HttpRequest ready) throws InterruptedException {
        try {
            return http.send(ready, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}
