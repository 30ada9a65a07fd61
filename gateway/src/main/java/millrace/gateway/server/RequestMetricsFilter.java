package millrace.gateway.server;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.List;
import java.util.Set;
import millrace.gateway.settings.GatewaySettings;

/**
 * Measures and names every request, outside of all other filters, and sets the headers that every response
 * has.
 */
@ServerFilter("/**")
@Requires(beans = GatewaySettings.class) // other servers of the class path have none
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RequestMetricsFilter {
    private static final String BEGIN = "millrace.begin";
    /** What is answered below these paths is one account's. */
    private static final List<String> WITH_KEY = List.of("/v3/batch/", "/batch/", "/mcp");
    /** Clients may invent methods, and a label must have few values. */
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "OPTIONS", "DELETE", "PUT", "PATCH");

    private final GatewayMetrics metrics;

    RequestMetricsFilter(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    @RequestFilter
    void begin(HttpRequest<?> request, MutablePropagatedContext context) {
        context.add(new RequestId(RequestId.of(request)));
        request.setAttribute(BEGIN, System.nanoTime());
    }

    @ResponseFilter
    void end(HttpRequest<?> request, MutableHttpResponse<?> response) {
        long begin = request.getAttribute(BEGIN, Long.class).orElseGet(System::nanoTime);
        String method = request.getMethodName();
        metrics.answered(
                METHODS.contains(method) ? method : "other",
                BasicHttpAttributes.getUriTemplate(request).orElse("none"),
                response.code(),
                System.nanoTime() - begin);
        headers(request, response);
    }

    /** Sets the headers that every response has, and writes its problem. */
    static void headers(HttpRequest<?> request, MutableHttpResponse<?> response) {
        JsonResponses.complete(request, response);
        LimitHeaders.write(request, response);
        response.header("X-Content-Type-Options", "nosniff");
        response.header("X-Frame-Options", "DENY");
        response.header("Referrer-Policy", "no-referrer");
        if (request.isSecure()) {
            response.header("Strict-Transport-Security", "max-age=31536000");
        }
        boolean ofAnAccount = WITH_KEY.stream().anyMatch(request.getPath()::startsWith);
        if (ofAnAccount && !response.getHeaders().contains("Cache-Control")) {
            response.header("Cache-Control", "no-store");
        }
    }
}
