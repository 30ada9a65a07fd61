package millrace.client.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An HTTP server that gives prepared answers, and remembers what it was asked. */
final class TestService implements AutoCloseable {
    static final String KEY = "0123456789abcdef";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Deque<Reply>> replies = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile @Nullable Reply otherwise;

    /** Writes an answer. */
    interface Reply {
        void to(HttpExchange exchange) throws IOException;
    }

    record Request(String method, URI uri, Map<String, List<String>> headers, String text) {
        /** "" where it is not there. */
        String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    private TestService(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    static TestService start() throws IOException {
        var service = new TestService(0);
        service.server.start();
        return service;
    }

    /**
     * One more, at the port of one that was closed.
     *
     * @param prepared prepares its answers, before the first request comes
     */
    static TestService startAt(int port, Consumer<TestService> prepared) throws IOException {
        var service = new TestService(port);
        prepared.accept(service);
        service.server.start();
        return service;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /**
     * @param target method and path
     * @param replies one for each request; the last one stays
     */
    TestService on(String target, Reply... replies) {
        this.replies.put(target, new ArrayDeque<>(Arrays.asList(replies)));
        return this;
    }

    /** To all that has no reply of its own. */
    TestService otherwise(Reply reply) {
        otherwise = reply;
        return this;
    }

    /** Those of one method and path, in their order. */
    List<Request> requests(String target) {
        return requests.stream()
                .filter(r -> (r.method() + " " + r.uri().getPath()).equals(target))
                .toList();
    }

    static Reply json(int status, String body, String... headers) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            bytes(status, body.getBytes(StandardCharsets.UTF_8), headers).to(exchange);
        };
    }

    static Reply problem(int status, String sentence, String... headers) {
        return json(status, "{\"title\":\"No\",\"status\":" + status + ",\"errors\":[\"" + sentence + "\"]}", headers);
    }

    /** @param headers names and values, one after the other */
    static Reply bytes(int status, byte[] body, String... headers) {
        return exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        };
    }

    /** Closes the connection without an answer. */
    static Reply nothing() {
        return HttpExchange::close;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            requests.add(new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(body, StandardCharsets.UTF_8)));
            reply(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath())
                    .to(exchange);
        }
    }

    private Reply reply(String target) {
        Deque<Reply> left = replies.get(target);
        if (left == null) {
            Reply any = otherwise;
            return any == null ? problem(404, "there is no " + target + " here.") : any;
        }
        synchronized (left) {
            @Nullable Reply next = left.size() > 1 ? left.poll() : left.peek();
            return next == null ? nothing() : next;
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
