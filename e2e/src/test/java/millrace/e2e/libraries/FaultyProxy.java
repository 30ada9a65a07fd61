package millrace.e2e.libraries;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Passes requests on to a service and its answers back, with faults. Links in the answers lead through it. */
final class FaultyProxy implements AutoCloseable {
    private static final Set<String> PASSED_ON =
            Set.of("api-key", "content-type", "idempotency-key", "range", "if-range", "last-event-id", "accept");
    private static final Set<String> PASSED_BACK =
            Set.of("content-type", "retry-after", "etag", "content-range", "accept-ranges", "content-disposition");

    private final HttpServer server;
    private final String service;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, Queue<Fault>> faults = new TreeMap<>();
    private final List<String> suffered = new ArrayList<>();

    private FaultyProxy(HttpServer server, String service) {
        this.server = server;
        this.service = service;
    }

    /** What becomes of one request. */
    enum Fault {
        /** It is carried out, and the connection is closed without an answer. */
        ANSWER_LOST,
        /** It is answered with 503 in the service's place. */
        UNAVAILABLE,
        /** The answer breaks off after a third of its body. */
        CUT,
        /** One byte in the middle of the answer's body is another one. */
        ALTERED
    }

    static FaultyProxy of(String service) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var proxy = new FaultyProxy(server, service);
        server.createContext("/", proxy::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return proxy;
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The next requests whose path has this part suffer these faults, one each. */
    synchronized void next(String part, Fault... wanted) {
        faults.computeIfAbsent(part, p -> new ArrayDeque<>()).addAll(List.of(wanted));
    }

    /** The faults that requests have suffered, each after the part of the path. */
    synchronized List<String> suffered() {
        return List.copyOf(suffered);
    }

    @Override
    public void close() {
        server.stop(0);
        http.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            @Nullable Fault fault = fault(exchange.getRequestURI().getPath());
            byte[] request = exchange.getRequestBody().readAllBytes();
            if (fault == Fault.UNAVAILABLE) {
                exchange.getResponseHeaders().add("retry-after", "1");
                answer(exchange, 503, "{\"errors\":[\"The proxy says so.\"]}".getBytes(StandardCharsets.UTF_8), null);
                return;
            }
            HttpResponse<byte[]> response = send(exchange, request);
            if (fault == Fault.ANSWER_LOST) {
                return;
            }
            response.headers().map().forEach((name, values) -> {
                if (PASSED_BACK.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            answer(exchange, response.statusCode(), linked(response), fault);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Fault fault(String path) {
        for (Map.Entry<String, Queue<Fault>> part : faults.entrySet()) {
            if (path.contains(part.getKey()) && !part.getValue().isEmpty()) {
                Fault fault = part.getValue().remove();
                suffered.add(part.getKey() + " " + fault);
                return fault;
            }
        }
        return null;
    }

    private HttpResponse<byte[]> send(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private byte[] linked(HttpResponse<byte[]> response) {
        boolean json = response.headers().firstValue("content-type").orElse("").startsWith("application/json");
        return json
                ? new String(response.body(), StandardCharsets.UTF_8)
                        .replace(service, address())
                        .getBytes(StandardCharsets.UTF_8)
                : response.body();
    }

    private static void answer(HttpExchange exchange, int status, byte[] body, @Nullable Fault fault)
            throws IOException {
        byte[] sent = body.clone();
        if (fault == Fault.ALTERED) {
            sent[sent.length / 2] ^= 1;
        }
        exchange.sendResponseHeaders(status, sent.length == 0 ? -1 : sent.length);
        exchange.getResponseBody().write(fault == Fault.CUT ? Arrays.copyOf(sent, sent.length / 3) : sent);
        // Else what was written before the connection is cut would not be sent.
        exchange.getResponseBody().flush();
    }
}
