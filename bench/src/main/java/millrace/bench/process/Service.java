package millrace.bench.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import millrace.gateway.bootstrap.GatewayMain;
import millrace.notifier.bootstrap.NotifierMain;
import millrace.processor.bootstrap.ProcessorMain;

/** The services as processes. Those in one folder have the same accounts, data, report files and secrets. */
public enum Service {
    GATEWAY(GatewayMain.class),
    PROCESSOR(ProcessorMain.class),
    NOTIFIER(NotifierMain.class);

    private static final String STARTED = "metrics=";
    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final Duration POLL = Duration.ofMillis(5);

    private final Class<?> main;

    Service(Class<?> main) {
        this.main = main;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Launches one in the broker's folder; it is not ready yet.
     *
     * @param own folder of this process alone
     * @param settings further ones
     */
    public ChildProcess launch(BenchKafka kafka, Path own, List<String> jvmOptions, String... settings)
            throws IOException {
        return launch(List.of(), kafka, own, jvmOptions, settings);
    }

    /** @param prefix of the command, for example {@code taskset -c 0} */
    public ChildProcess launch(
            List<String> prefix, BenchKafka kafka, Path own, List<String> jvmOptions, String... settings)
            throws IOException {
        List<String> all = new ArrayList<>(settings(kafka.folder(), own));
        all.add("--kafka.bootstrap.servers=" + kafka.servers());
        all.add("--management.port=0");
        all.addAll(List.of(settings));
        return ChildProcess.start(prefix, main, jvmOptions, all.toArray(String[]::new));
    }

    private List<String> settings(Path shared, Path own) {
        return switch (this) {
            case GATEWAY ->
                List.of(
                        "--gateway.port=0",
                        "--gateway.accounts=" + shared.resolve("accounts.yaml"),
                        "--storage.reports=" + shared.resolve("reports"),
                        "--storage.link-secret=" + shared.resolve("link-secret"),
                        "--gateway.activity.directory=" + own.resolve("activity"),
                        "--gateway.read-model.directory=" + own.resolve("read-model"),
                        "--gateway.deliveries.directory=" + own.resolve("deliveries"),
                        "--gateway.requests-per-second=100000000",
                        "--gateway.open-reports=100000000");
            case PROCESSOR ->
                List.of(
                        "--processor.public-address=http://127.0.0.1:8080",
                        "--processor.warehouse=" + shared.resolve("warehouse"),
                        "--storage.reports=" + shared.resolve("reports"),
                        "--storage.link-secret=" + shared.resolve("link-secret"),
                        "--processor.state=" + own.resolve("state"),
                        "--processor.duckdb.memory-limit=512MB",
                        "--processor.duckdb.temp-directory=" + own.resolve("scratch"));
            case NOTIFIER ->
                List.of(
                        "--notifier.accounts=" + shared.resolve("accounts.yaml"),
                        "--notifier.allowed-addresses=127.0.0.0/8");
        };
    }

    /**
     * Waits until a process is ready that was launched with {@code --management.port=0}. What it has printed before is
     * not read again.
     *
     * @throws IllegalStateException if that takes longer than 15 minutes, or it ends, with the last lines
     */
    public static void awaitReady(ChildProcess process) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        String line = process.await(STARTED, TIMEOUT);
        URI metrics = URI.create(
                line.substring(line.indexOf(STARTED) + STARTED.length()).strip());
        HttpRequest ready =
                HttpRequest.newBuilder(metrics.resolve("/health/ready")).build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!isReady(http, ready)) {
                if (!process.alive() || System.nanoTime() > deadline) {
                    process.await("answer that it is ready", Duration.ZERO);
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    private static boolean isReady(HttpClient http, HttpRequest ready) throws InterruptedException {
        try {
            return http.send(ready, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // not there yet
        }
    }
}
