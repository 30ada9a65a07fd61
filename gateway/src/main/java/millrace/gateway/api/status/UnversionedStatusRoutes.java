package millrace.gateway.api.status;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import java.util.concurrent.CompletionStage;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.server.TakesParameters;

/** The status at the path of v5 of the original API. A report's answer is the same at both paths. */
@Controller("/batch")
@Produces(MediaType.ALL)
final class UnversionedStatusRoutes {
    private final StatusRoutes routes;

    UnversionedStatusRoutes(StatusRoutes routes) {
        this.routes = routes;
    }

    @Get("/request-status/{reportId}")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters({"min_sequence", "wait"})
    CompletionStage<HttpResponse<byte[]>> requestStatus(HttpRequest<?> http, @PathVariable String reportId) {
        return routes.requestStatus(http, reportId);
    }
}
