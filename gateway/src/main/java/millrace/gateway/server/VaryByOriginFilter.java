package millrace.gateway.server;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/**
 * Says with every answer that it differs by origin, where pages of other origins are allowed.
 * Micronaut says so to these pages only: a browser that has kept a file from elsewhere would give
 * it to them without the headers that let them read it.
 */
@ServerFilter("/**")
@Requires(property = "micronaut.server.cors.enabled", value = "true")
@Order(Ordered.HIGHEST_PRECEDENCE)
final class VaryByOriginFilter {

    @ResponseFilter
    void add(MutableHttpResponse<?> response) {
        boolean said =
                response.getHeaders().getAll(HttpHeaders.VARY).stream().anyMatch(HttpHeaders.ORIGIN::equalsIgnoreCase);
        if (!said) {
            response.header(HttpHeaders.VARY, HttpHeaders.ORIGIN);
        }
    }
}
