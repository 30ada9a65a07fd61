package millrace.gateway.api.webhooks;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.admission.CommandLog;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/** Lists an account's endpoints with their states, and enables a stopped one. */
@Controller("/v3/batch/webhooks")
@BlockingRoutes
final class EndpointRoutes {
    private static final int LIMIT = 100;
    private static final int MOST = 1000;

    private final DeliveryFinder deliveries;
    private final EndpointResponses endpoints;
    private final CommandLog log;
    private final RequestBodyReader bodies;
    private final InstantSource clock;

    EndpointRoutes(
            DeliveryFinder deliveries,
            EndpointResponses endpoints,
            CommandLog log,
            RequestBodyReader bodies,
            InstantSource clock) {
        this.deliveries = deliveries;
        this.endpoints = endpoints;
        this.log = log;
        this.bodies = bodies;
        this.clock = clock;
    }

    private record Enabled(String endpoint) {}

    @Get("/endpoints")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters({"limit", "cursor"})
    HttpResponse<byte[]> endpoints(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>();
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        String after = QueryParameters.cursor(http, text -> Optional.of(text).filter(key -> !key.isEmpty()), errors)
                .orElse(null);
        RefusedException.ifAny(errors);
        deliveries.requireReady();
        return JsonResponses.ok(endpoints.page(ApiKeyFilter.caller(http).accountId(), after, limit));
    }

    /** Needs no body. */
    @Post("/endpoints/{id}/enable")
    @RequiredScopes(KeyScope.WEBHOOKS)
    CompletionStage<? extends HttpResponse<byte[]>> enable(
            HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        bodies.skip(http, body);
        deliveries.requireReady();
        String account = ApiKeyFilter.caller(http).accountId();
        String key = endpoints
                .key(account, id)
                .orElseThrow(() ->
                        new RefusedException(ProblemCode.ENDPOINT_NOT_FOUND, "id: the account has no such endpoint."));
        return log.append(new DeliveryCommand.EnableEndpoint(account, key, clock.instant()))
                .handle((at, failure) -> failure == null
                        ? JsonResponses.accepted(new Enabled(id))
                        : JsonResponses.unavailable(
                                ProblemCode.OUTCOME_UNKNOWN,
                                "Kafka did not acknowledge in time; it is safe to repeat the request."));
    }
}
