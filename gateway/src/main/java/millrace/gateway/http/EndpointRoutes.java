package millrace.gateway.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import millrace.contracts.DeliveryCommand;
import millrace.gateway.commands.CommandLog;
import org.jspecify.annotations.Nullable;

/** How an account's endpoints are doing, and enabling one. */
@Controller("/v3/batch/webhooks")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class EndpointRoutes {
    private static final int LIMIT = 100;
    private static final int MOST = 1000;

    private final Deliveries deliveries;
    private final EndpointAnswers endpoints;
    private final CommandLog log;
    private final RequestBodies bodies;
    private final InstantSource clock;

    EndpointRoutes(
            Deliveries deliveries,
            EndpointAnswers endpoints,
            CommandLog log,
            RequestBodies bodies,
            InstantSource clock) {
        this.deliveries = deliveries;
        this.endpoints = endpoints;
        this.log = log;
        this.bodies = bodies;
        this.clock = clock;
    }

    private record Enabled(String endpoint) {}

    @Get("/endpoints")
    HttpResponse<byte[]> endpoints(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>(Parameters.unknown(http, List.of("limit", "cursor")));
        OptionalInt limit = Parameters.integer(http, "limit", 1, MOST, LIMIT);
        if (limit.isEmpty()) {
            errors.add("limit: must be a whole number from 1 to " + MOST + ".");
        }
        if (!errors.isEmpty()) {
            return Answers.problem(HttpStatus.BAD_REQUEST, errors);
        }
        String account = KeyFilter.caller(http).accountId();
        return deliveries
                .ready()
                .orElseGet(() ->
                        Answers.ok(endpoints.page(account, http.getParameters().get("cursor"), limit.orElse(LIMIT))));
    }

    /** A body is not needed. */
    @Post("/endpoints/{id}/enable")
    CompletionStage<? extends HttpResponse<byte[]>> enable(
            HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        String account = KeyFilter.caller(http).accountId();
        var refusal = bodies.skip(http, body).or(deliveries::ready);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        Optional<String> key = endpoints.key(account, id);
        if (key.isEmpty()) {
            return CompletableFuture.completedFuture(
                    Answers.problem(HttpStatus.NOT_FOUND, "id: the account has no such endpoint."));
        }
        return log.append(new DeliveryCommand.EnableEndpoint(account, key.get(), clock.instant()))
                .handle((at, failure) -> failure == null
                        ? DeliveryRoutes.accepted(new Enabled(id))
                        : Answers.unavailable("Kafka did not acknowledge in time; it is safe to repeat the request."));
    }
}
