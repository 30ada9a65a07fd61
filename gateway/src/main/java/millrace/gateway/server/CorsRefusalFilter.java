package millrace.gateway.server;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import millrace.gateway.settings.GatewaySettings;

/** Adds a problem document where Micronaut refuses an origin with an empty 403. */
@ServerFilter("/**")
@Requires(beans = GatewaySettings.class) // other servers of the class path have none
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class CorsRefusalFilter {

    @ResponseFilter
    MutableHttpResponse<?> explain(HttpRequest<?> request, MutableHttpResponse<?> response) {
        boolean refused = response.status() == HttpStatus.FORBIDDEN
                && response.getBody().isEmpty()
                && !JsonResponses.isProblem(response)
                && request.getOrigin().isPresent();
        return refused ? JsonResponses.foreignOrigin(request.getOrigin().get()) : response;
    }
}
