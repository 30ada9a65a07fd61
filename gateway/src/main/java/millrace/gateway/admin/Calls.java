package millrace.gateway.admin;

import io.netty.handler.codec.http.HttpRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.gateway.netty.RefusedMessageException;
import millrace.gateway.openapi.OpenApi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a request to the admin API means. The key is checked before a body is read. */
final class Calls {
    static final String KEY_HEADER = "admin-key";

    private static final Logger LOG = LoggerFactory.getLogger(Calls.class);
    /** For everybody who finds the port: it says nothing about anybody. */
    private static final Map<String, Answer> DOCUMENTS = Map.of(
            "/openapi.json",
            Answer.ok(OpenApi.adminDocument()),
            "/openapi.yaml",
            Answer.yaml(OpenApi.yaml(OpenApi.adminDocument())));

    private final AdminKeys keys;
    private final List<Route> routes;

    Calls(AdminKeys keys, List<Route> routes) {
        this.keys = keys;
        this.routes = routes;
    }

    /** What its head makes of a request. */
    sealed interface Begun {
        /** It is answered, whatever its body is. */
        record Answered(Answer answer) implements Begun {}

        /** It is answered once its body is there. */
        record Expected(Continuation then) implements Begun {}
    }

    /** Answers a call with its body; may block. */
    @FunctionalInterface
    interface Continuation {
        Answer answer(byte[] body);
    }

    Begun begin(HttpRequest request) {
        if (request.decoderResult().cause() instanceof RefusedMessageException refused) {
            return answered(Answer.problem(refused.status(), String.valueOf(refused.getMessage())));
        }
        Optional<URI> uri = uri(request.uri());
        String path = uri.map(URI::getPath).orElse("");
        String method = request.method().name();
        Answer document = DOCUMENTS.get(path);
        if (document != null && method.equals("GET")) {
            return answered(document);
        }
        String key = request.headers().get(KEY_HEADER);
        Optional<String> actor = keys.name(key);
        if (actor.isEmpty()) {
            return answered(Answer.problem(
                    401,
                    KEY_HEADER
                            + (key == null
                                    ? ": the header is missing; send your key in it."
                                    : ": must be a valid admin key.")));
        }
        return uri.isEmpty()
                ? answered(Answer.problem(400, "The request line must name a path, with % only before two hex digits."))
                : routed(method, path, actor.get(), query(uri.get()));
    }

    private Begun routed(String method, String path, String actor, Map<String, String> query) {
        List<Route> here =
                routes.stream().filter(r -> r.match(path).isPresent()).toList();
        if (here.isEmpty()) {
            return answered(Answer.problem(404, "There is nothing at " + path + "."));
        }
        Optional<Route> route =
                here.stream().filter(r -> r.method().equals(method)).findFirst();
        if (route.isEmpty()) {
            String methods = here.stream().map(Route::method).collect(Collectors.joining(", "));
            return answered(
                    Answer.problem(405, path + " accepts " + methods + ".").allowing(methods));
        }
        Map<String, String> parts = route.get().match(path).orElseThrow();
        return new Begun.Expected(
                body -> guarded(method + " " + path, route.get().handler(), new Call(actor, parts, query, body)));
    }

    private static Answer guarded(String what, Route.Handler handler, Call call) {
        try {
            return handler.answer(call);
        } catch (RuntimeException e) {
            LOG.error("{} failed", what, e);
            return Answer.problem(500, "Something went wrong here; it has been logged.");
        }
    }

    private static Begun answered(Answer answer) {
        return new Begun.Answered(answer);
    }

    /** Empty where it is none, or has no path. */
    private static Optional<URI> uri(String text) {
        try {
            return Optional.of(new URI(text)).filter(uri -> uri.getPath() != null);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
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
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
