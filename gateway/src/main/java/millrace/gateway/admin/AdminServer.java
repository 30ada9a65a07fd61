package millrace.gateway.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import millrace.gateway.TlsSettings;
import millrace.gateway.openapi.OpenApi;
import millrace.runtime.SettingsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server of the admin API. The key is checked before a body is read. */
public final class AdminServer implements AutoCloseable {
    static final String KEY_HEADER = "admin-key";

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int LARGEST_BODY = 1 << 16;
    /** For everybody who finds the port: it says nothing about anybody. */
    private static final Map<String, Answer> DOCUMENTS = Map.of(
            "/openapi.json",
            Answer.ok(OpenApi.adminDocument()),
            "/openapi.yaml",
            new Answer(200, "application/yaml", OpenApi.yaml(OpenApi.adminDocument())));

    private final HttpServer server;
    private final ExecutorService threads;
    private final AdminKeys keys;
    private final List<Route> routes;

    private AdminServer(HttpServer server, AdminKeys keys, List<Route> routes) {
        this.server = server;
        this.threads = Executors.newVirtualThreadPerTaskExecutor();
        this.keys = keys;
        this.routes = routes;
    }

    /**
     * Empty where the settings name no keys.
     *
     * @throws SettingsException in one line, where the port is taken or the keys cannot be used
     */
    public static Optional<AdminServer> start(AdminSettings settings, TlsSettings tls, AdminAccounts accounts) {
        if (settings.keys() == null) {
            return Optional.empty();
        }
        AdminKeys keys = AdminKeys.read(settings.keys());
        try {
            HttpServer server = server(new InetSocketAddress(settings.host(), settings.port()), tls);
            var admin = new AdminServer(server, keys, accounts.routes());
            server.setExecutor(admin.threads);
            server.createContext("/", admin::serve);
            server.start();
            return Optional.of(admin);
        } catch (BindException e) {
            throw new SettingsException("gateway.admin.port " + settings.port() + " of " + settings.host()
                    + " is taken: " + e.getMessage());
        } catch (IOException e) {
            throw new SettingsException("the admin API cannot be served: " + e);
        }
    }

    private static HttpServer server(InetSocketAddress at, TlsSettings tls) throws IOException {
        if (tls.keyStore() == null) {
            return HttpServer.create(at, 0);
        }
        try {
            var context = Tls.server(tls.keyStore(), String.valueOf(tls.password()));
            HttpsServer server = HttpsServer.create(at, 0);
            server.setHttpsConfigurator(new HttpsConfigurator(context));
            return server;
        } catch (GeneralSecurityException e) {
            throw new SettingsException("gateway.tls.key-store " + tls.keyStore() + " cannot be used: " + e);
        }
    }

    /** Where it listens, {@code http://127.0.0.1:port}, or {@code https}. */
    public URI address() {
        InetSocketAddress at = server.getAddress();
        String scheme = server instanceof HttpsServer ? "https://" : "http://";
        return URI.create(scheme + at.getAddress().getHostAddress() + ":" + at.getPort());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (RuntimeException e) {
                LOG.error(
                        "{} {} failed",
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        e);
                answer = Answer.problem(500, "Something went wrong here; it has been logged.");
            }
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.sendResponseHeaders(answer.status(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        Answer document = DOCUMENTS.get(exchange.getRequestURI().getPath());
        if (document != null && exchange.getRequestMethod().equals("GET")) {
            return document;
        }
        Optional<String> actor = keys.name(exchange.getRequestHeaders().getFirst(KEY_HEADER));
        if (actor.isEmpty()) {
            return Answer.problem(401, KEY_HEADER + ": must be a valid admin key.");
        }
        String path = exchange.getRequestURI().getPath();
        List<Route> here =
                routes.stream().filter(r -> r.match(path).isPresent()).toList();
        if (here.isEmpty()) {
            return Answer.problem(404, "There is nothing at " + path + ".");
        }
        Optional<Route> route = here.stream()
                .filter(r -> r.method().equals(exchange.getRequestMethod()))
                .findFirst();
        if (route.isEmpty()) {
            String methods = here.stream().map(Route::method).collect(Collectors.joining(", "));
            exchange.getResponseHeaders().set("Allow", methods);
            return Answer.problem(405, path + " accepts " + methods + ".");
        }
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            return Answer.problem(413, "The body must not be larger than " + LARGEST_BODY + " bytes.");
        }
        Map<String, String> parts = route.get().match(path).orElseThrow();
        return route.get().handler().answer(new Call(actor.get(), parts, query(exchange.getRequestURI()), body));
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        @Nullable String raw = uri.getRawQuery();
        for (String pair : raw == null || raw.isEmpty() ? List.<String>of() : List.of(raw.split("&", -1))) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            query.put(decoded(name), decoded(equals < 0 ? "" : pair.substring(equals + 1)));
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
