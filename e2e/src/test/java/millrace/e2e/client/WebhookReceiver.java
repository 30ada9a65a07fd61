package millrace.e2e.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.IntSupplier;
import millrace.contracts.Json;

/** A client's receiver of webhooks. It keeps all requests; tests set its answers. */
public final class WebhookReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private volatile IntSupplier answer = () -> 200;

    private WebhookReceiver(HttpServer server) {
        this.server = server;
    }

    public static WebhookReceiver start() throws IOException {
        return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public static WebhookReceiver start(InetSocketAddress address) throws IOException {
        var receiver = new WebhookReceiver(HttpServer.create(address, 0));
        receiver.server.createContext("/", receiver::receive);
        receiver.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.server.start();
        return receiver;
    }

    /** One POST. Header names are in lower case. */
    public record Received(Instant at, Map<String, List<String>> headers, String text, JsonNode body) {
        public String id() {
            return headers.getOrDefault("webhook-id", List.of("no webhook-id")).getFirst();
        }

        public String report() {
            return body.path("payload").path("report_id").asText();
        }

        public String status() {
            return body.path("payload").path("status").asText();
        }

        /** Verifies the signature with the reference library. */
        public Received verified(String secret) {
            try {
                new Webhook(secret).verify(text, headers);
                return this;
            } catch (WebhookVerificationException | EmptyWebhookSecretException e) {
                throw new AssertionError("signature of " + id(), e);
            }
        }
    }

    /** Sets the status code of the answers from now on. */
    public void answer(IntSupplier code) {
        answer = code;
    }

    public String url() {
        return "http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort() + "/hook";
    }

    public List<Received> received() {
        return received;
    }

    /** The webhooks of one report, in the order of arrival. */
    public List<Received> of(String report) {
        return received.stream().filter(r -> r.report().equals(report)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Map<String, List<String>> headers = exchange.getRequestHeaders().entrySet().stream()
                    .collect(java.util.stream.Collectors.toMap(
                            e -> e.getKey().toLowerCase(java.util.Locale.ROOT), Map.Entry::getValue));
            received.add(new Received(Instant.now(), headers, text, Json.MAPPER.readTree(text)));
            exchange.sendResponseHeaders(answer.getAsInt(), -1);
        }
    }
}
