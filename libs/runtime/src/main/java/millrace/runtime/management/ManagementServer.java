package millrace.runtime.management;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import millrace.contracts.Json;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.ManagementSettings;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of the management port: {@code /metrics} for Prometheus, {@code /health/live} and
 * {@code /health/ready}.
 */
public final class ManagementServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementServer.class);
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String JSON = "application/json";
    /** Monitoring sends a line and a few headers. */
    private static final String LONGEST_REQUEST_SECONDS = "5";

    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private final ManagementSettings settings;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmMetrics jvm = new JvmMetrics(registry);
    private final Map<String, Health> services = new ConcurrentSkipListMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final @Nullable HttpServer server;
    private volatile boolean draining;
    private volatile @Nullable StatePublisher publisher;

    private record Answer(String status, Map<String, Map<String, Boolean>> services) {}

    private ManagementServer(ManagementSettings settings) throws IOException {
        this.settings = settings;
        this.server = settings.port() == null ? null : server(settings.host(), settings.port());
    }

    /**
     * Starts the server where the settings have a port. The process is alive from now on, and not
     * ready until a service is added.
     *
     * @throws SettingsException where the port is taken; its message is one line
     */
    public static ManagementServer start(ManagementSettings settings) {
        try {
            return new ManagementServer(settings);
        } catch (IOException e) {
            throw new SettingsException("management.port " + settings.port() + " of " + settings.host()
                    + " cannot be used: " + e.getMessage());
        }
    }

    /** The registry that {@code /metrics} shows. */
    public MeterRegistry registry() {
        return registry;
    }

    /** The port that the server listens on, 0 where there is no server. */
    public int port() {
        return server == null ? 0 : server.getAddress().getPort();
    }

    /**
     * Adds a service to the health endpoints and the metrics.
     *
     * @param service its name in answers and labels
     */
    public void add(String service, Health health) {
        gauge("millrace.alive", "1 while the service has not failed for good", service, health, Health::alive);
        gauge("millrace.ready", "1 while the service is ready", service, health, h -> !draining && h.ready());
        for (String check : health.checks().keySet()) {
            Gauge.builder("millrace.check", health, h -> h.checks().getOrDefault(check, false) ? 1 : 0)
                    .description("1 while the readiness check succeeds")
                    .tag("service", service)
                    .tag("check", check)
                    .strongReference(true)
                    .register(registry);
        }
        services.put(service, health);
    }

    /** Whether {@code /health/ready} answers 200: there are services, and all are ready. */
    public boolean ready() {
        return !draining && !services.isEmpty() && services.values().stream().allMatch(Health::ready);
    }

    /** Waits until {@link #ready}; returns false where it takes longer. */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!ready()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            Thread.sleep(POLL_INTERVAL);
        }
        return true;
    }

    /**
     * Writes to Kafka from now on how the services are, so that gateways can show it. The topics must exist. Ends with
     * this server, or before where the result is closed.
     */
    public AutoCloseable publish(KafkaSettings kafka) {
        var started = StatePublisher.start(kafka, this::observed);
        publisher = started;
        return started;
    }

    private StatePublisher.Observed observed() {
        Map<String, SortedMap<String, Boolean>> checks = new TreeMap<>();
        services.forEach((service, health) -> checks.put(service, new TreeMap<>(health.checks())));
        return new StatePublisher.Observed(ready(), checks, stateForm());
    }

    /** The newest form that all services of this process can read; null if none reads the ledger's state. */
    private @Nullable Integer stateForm() {
        return services.values().stream()
                .map(Health::stateForm)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** The checks that fail now, as {@code service.check}. */
    public List<String> failingChecks() {
        List<String> missing = new ArrayList<>();
        services.forEach((service, health) -> health.checks().forEach((check, ok) -> {
            if (!ok) {
                missing.add(service + "." + check);
            }
        }));
        return missing;
    }

    /**
     * Starts a service. Closing the result stops in this order: readiness, the service, this
     * server.
     */
    public AutoCloseable startService(Callable<? extends AutoCloseable> start) throws Exception {
        try {
            AutoCloseable service = start.call();
            return () -> {
                drain();
                try {
                    service.close();
                } finally {
                    close();
                }
            };
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /**
     * Makes all services not ready, and waits for {@code management.drain}, so that load balancers
     * notice.
     */
    public void drain() {
        draining = true;
        services.values().forEach(Health::leave);
        Duration drain = settings.drain();
        if (drain.isPositive()) {
            LOG.info("draining before the stop seconds={}", drain.toSeconds());
            try {
                Thread.sleep(drain);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        StatePublisher publishing = publisher;
        if (publishing != null) {
            publishing.close();
        }
        if (server != null) {
            server.stop(0);
        }
        threads.close();
        jvm.close();
        registry.close();
    }

    private HttpServer server(String host, int port) throws IOException {
        if (System.getProperty("sun.net.httpserver.maxReqTime") == null) {
            // The JDK reads it once, when the first server of the process is created.
            System.setProperty("sun.net.httpserver.maxReqTime", LONGEST_REQUEST_SECONDS);
        }
        HttpServer created = HttpServer.create(new InetSocketAddress(host, port), 0);
        created.setExecutor(threads);
        created.createContext("/", this::answer);
        created.start();
        LOG.info(
                "management server started metrics=http://{}:{}/metrics",
                host,
                created.getAddress().getPort());
        return created;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> send(exchange, 200, METRICS, registry.scrape());
                case "/health/live" ->
                    health(exchange, services.values().stream().allMatch(Health::alive));
                case "/health/ready" -> health(exchange, ready());
                default -> send(exchange, 404, JSON, "{}");
            }
        }
    }

    private void health(HttpExchange exchange, boolean up) throws IOException {
        Map<String, Map<String, Boolean>> all = services.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, e -> e.getValue().checks(), (a, b) -> a, ConcurrentSkipListMap::new));
        send(exchange, up ? 200 : 503, JSON, Json.text(new Answer(up ? "UP" : "DOWN", all)));
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private void gauge(String name, String words, String service, Health health, Predicate<Health> what) {
        Gauge.builder(name, health, h -> what.test(h) ? 1 : 0)
                .description(words)
                .tag("service", service)
                .strongReference(true)
                .register(registry);
    }
}
