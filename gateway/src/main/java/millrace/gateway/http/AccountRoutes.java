package millrace.gateway.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import millrace.catalog.Catalog;
import millrace.catalog.Entitlements;
import millrace.catalog.TableDescription;
import millrace.gateway.admission.Caller;
import millrace.gateway.model.ReadModel;

/** What an account has and may ask for. Free. */
@Controller
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class AccountRoutes {
    private final Gate gate;
    private final Catalog catalog;
    private final ReadModel model;

    AccountRoutes(Gate gate, Catalog catalog, ReadModel model) {
        this.gate = gate;
        this.catalog = catalog;
        this.model = model;
    }

    private record Credits(long remainingCredits) {}

    @Get("/v3/batch/credits")
    HttpResponse<byte[]> credits(HttpRequest<?> http) {
        return Answers.ok(new Credits(model.remaining(KeyFilter.caller(http).accountId())));
    }

    @Get("/v3/batch/tables/describe")
    HttpResponse<byte[]> describe(HttpRequest<?> http) {
        Entitlements entitlements =
                RequestChecks.entitlements(KeyFilter.caller(http).account());
        return Answers.ok(catalog.datasets().stream()
                .map(d -> TableDescription.of(d, entitlements))
                .toList());
    }

    /** The one call whose key is a query parameter. */
    @Get("/capabilities")
    HttpResponse<byte[]> capabilities(HttpRequest<?> http) {
        return switch (gate.any(http.getParameters().get("api_key"))) {
            case Gate.Passage.Shut(var answer) -> answer;
            case Gate.Passage.Open(Caller caller) ->
                Answers.ok(Capabilities.of(caller.account(), model.remaining(caller.accountId())));
        };
    }
}
