package millrace.notifier.bootstrap;

import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A receiver of webhooks that verifies signatures with the reference library and answers as its script says. */
final class VerifyingReceiver implements AutoCloseable {
    /** Returns the status to answer with; may block. */
    interface Script {
        int answer(Request request, int number) throws Exception;
    }

    record Request(String id, String path, String body, boolean verified) {}

    private final HttpServer server;
    private final Script script;
    private final String secret;
    final List<Request> requests = new CopyOnWriteArrayList<>();
    volatile String retryAfter = "";

    private VerifyingReceiver(HttpServer server, String secret, Script script) {
        this.server = server;
        this.secret = secret;
        this.script = script;
    }

    static VerifyingReceiver open(String secret, Script script) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 100);
        var receiver = new VerifyingReceiver(server, secret, script);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", receiver::handle);
        server.start();
        return receiver;
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    List<String> ids() {
        return requests.stream().map(Request::id).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, List<String>> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((k, v) -> headers.put(k.toLowerCase(Locale.ROOT), v));
        String id = exchange.getRequestHeaders().getFirst("webhook-id");
        var request = new Request(id, exchange.getRequestURI().getPath(), body, verified(body, headers));
        int number;
        synchronized (requests) {
            requests.add(request);
            number = requests.size();
        }
        try (exchange) {
            int status = script.answer(request, number);
            if (!retryAfter.isEmpty()) {
                exchange.getResponseHeaders().set("Retry-After", retryAfter);
            }
            exchange.getResponseHeaders().set("Location", url("/redirected"));
            exchange.sendResponseHeaders(status, -1);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private boolean verified(String body, Map<String, List<String>> headers) {
        try {
            new com.standardwebhooks.Webhook(secret).verify(body, headers);
            return true;
        } catch (WebhookVerificationException | com.standardwebhooks.exceptions.EmptyWebhookSecretException e) {
            return false;
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
