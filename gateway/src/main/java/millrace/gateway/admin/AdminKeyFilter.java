package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.netty.NettyHttpRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import millrace.gateway.http.JsonResponses;
import org.jspecify.annotations.Nullable;

/** Checks the key of every call before its body is read. Documents and the console say nothing about anybody and need none. */
@ServerFilter("/**")
@Requires(beans = AdminKeys.class) // the public API has none
public final class AdminKeyFilter {
    private static final String KEY_HEADER = "admin-key";
    private static final String ACTOR = "millrace.actor";

    private final AdminKeys keys;

    AdminKeyFilter(AdminKeys keys) {
        this.keys = keys;
    }

    @RequestFilter
    @Nullable
    HttpResponse<?> check(HttpRequest<?> request) {
        String path = request.getPath();
        boolean open = AdminDocumentRoutes.PATHS.contains(path) || AdminConsoleRoutes.serves(path);
        if (open && request.getMethod() == HttpMethod.GET) {
            return null;
        }
        String key = request.getHeaders().get(KEY_HEADER);
        Optional<String> actor = keys.name(key);
        if (actor.isEmpty()) {
            String fault =
                    key == null ? ": the header is missing; send your key in it." : ": must be a valid admin key.";
            return refused(request, HttpStatus.UNAUTHORIZED, KEY_HEADER + fault);
        }
        if (!namesAPath(request)) {
            String fault = "The request line must name a path, with % only before two hex digits.";
            return refused(request, HttpStatus.BAD_REQUEST, fault);
        }
        request.setAttribute(ACTOR, actor.get());
        return null;
    }

    /** Nobody reads what may come after it. */
    private static HttpResponse<?> refused(HttpRequest<?> request, HttpStatus status, String fault) {
        var answer = JsonResponses.problem(status, fault);
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
    void complete(MutableHttpResponse<?> answer) {
        headers(answer);
    }

    /** Those that every answer has. */
    static void headers(MutableHttpResponse<?> answer) {
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
