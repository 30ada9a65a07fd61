package millrace.notifier;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** {@code /metrics} as Prometheus reads it, {@code /health/live} and {@code /health/ready}: 200, or 503. */
final class MetricsServer implements AutoCloseable {
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;

    private MetricsServer(HttpServer server) {
        this.server = server;
    }

    /**
     * On loopback.
     *
     * @param port 0 for any that is free
     * @throws IOException where somebody else has the port
     */
    static MetricsServer start(int port, PrometheusMeterRegistry registry, Notifier notifier) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/metrics", exchange -> answer(exchange, 200, METRICS, registry.scrape()));
        server.createContext("/health/live", exchange -> health(exchange, notifier::alive));
        server.createContext("/health/ready", exchange -> health(exchange, notifier::ready));
        server.start();
        return new MetricsServer(server);
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void health(HttpExchange exchange, BooleanSupplier well) throws IOException {
        boolean up = well.getAsBoolean();
        answer(exchange, up ? 200 : 503, TEXT, up ? "UP\n" : "DOWN\n");
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
