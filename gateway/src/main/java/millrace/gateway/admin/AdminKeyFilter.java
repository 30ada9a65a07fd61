package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.netty.NettyHttpRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RequestId;
import org.jspecify.annotations.Nullable;

/** Checks the key of every call before its body is read. Documents and the console say nothing about anybody and need none. */
@ServerFilter("/**")
@Requires(beans = AdminKeys.class) // the public API has none
final class AdminKeyFilter {
    private static final String KEY_HEADER = "admin-key";
    private static final String ACTOR = "millrace.actor";

    private final AdminKeys keys;

    AdminKeyFilter(AdminKeys keys) {
        this.keys = keys;
    }

    @RequestFilter
    @Nullable
    HttpResponse<?> check(HttpRequest<?> request, MutablePropagatedContext context) {
        context.add(new RequestId(RequestId.of(request)));
        String path = request.getPath();
        boolean open = AdminOpenRoutes.serves(path);
        if (open && request.getMethod() == HttpMethod.GET) {
            return null;
        }
        String key = request.getHeaders().get(KEY_HEADER);
        Optional<String> actor = keys.name(key);
        if (actor.isEmpty()) {
            return key == null
                    ? refused(
                            request,
                            ProblemCode.KEY_MISSING,
                            KEY_HEADER + ": the header is missing; send your key in it.")
                    : refused(request, ProblemCode.KEY_UNKNOWN, KEY_HEADER + ": must be a valid admin key.");
        }
        if (!namesAPath(request)) {
            String fault = "The request line must name a path, with % only before two hex digits.";
            return refused(request, ProblemCode.MALFORMED_MESSAGE, fault);
        }
        request.setAttribute(ACTOR, actor.get());
        return QueryParameters.refusal(request)
                .map(answer -> refused(request, answer))
                .orElse(null);
    }

    private static HttpResponse<?> refused(HttpRequest<?> request, ProblemCode code, String fault) {
        return refused(request, JsonResponses.problem(code, fault));
    }

    /** Nobody reads what may come after it. */
    private static HttpResponse<?> refused(HttpRequest<?> request, MutableHttpResponse<?> answer) {
        boolean hasBody = request.getContentLength() > 0 || request.getHeaders().contains("Transfer-Encoding");
        return hasBody ? answer.header("Connection", "close") : answer;
    }

    /** Whether the target is one, and not one that the framework has mended. */
    private static boolean namesAPath(HttpRequest<?> request) {
        try {
            return request instanceof NettyHttpRequest<?> sent
                    && request.getPath().equals(new URI(sent.getNativeRequest().uri()).getRawPath());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    @ResponseFilter
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void complete(HttpRequest<?> request, MutableHttpResponse<?> answer) {
        headers(request, answer);
    }

    /** Sets the headers that every answer has, and writes its problem. */
    static void headers(HttpRequest<?> request, MutableHttpResponse<?> answer) {
        JsonResponses.complete(request, answer);
        answer.header("X-Content-Type-Options", "nosniff");
        // Files of the console are asked for again by their tag.
        if (!answer.getHeaders().contains("Cache-Control")) {
            answer.header("Cache-Control", "no-store");
        }
    }

    /** The name of the caller's key. */
    public static String actor(HttpRequest<?> request) {
        return request.getAttribute(ACTOR, String.class)
                .orElseThrow(() -> new IllegalStateException(request.getPath() + " is not behind the filter"));
    }
}
