package millrace.gateway.submission;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import millrace.catalog.Catalog;
import millrace.catalog.access.DatasetDescription;
import millrace.catalog.access.Entitlements;
import millrace.gateway.admission.Caller;
import millrace.gateway.datasets.DescribedDataset;
import millrace.gateway.datasets.PublishedDatasets;
import millrace.gateway.http.AccessCheck;
import millrace.gateway.http.ApiKeyFilter;
import millrace.gateway.http.JsonResponses;
import millrace.gateway.readmodel.ReadModel;

/** Answers with an account's credits and with what it may ask for. */
@Controller
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class AccountRoutes {
    private final AccessCheck accessCheck;
    private final Catalog catalog;
    private final ReadModel model;
    private final PublishedDatasets published;

    AccountRoutes(AccessCheck accessCheck, Catalog catalog, ReadModel model, PublishedDatasets published) {
        this.accessCheck = accessCheck;
        this.catalog = catalog;
        this.model = model;
        this.published = published;
    }

    private record Credits(long remainingCredits) {}

    @Get("/v3/batch/credits")
    HttpResponse<byte[]> credits(HttpRequest<?> http) {
        return JsonResponses.ok(
                new Credits(model.remaining(ApiKeyFilter.caller(http).accountId())));
    }

    @Get("/v3/batch/tables/describe")
    HttpResponse<byte[]> describe(HttpRequest<?> http) {
        Entitlements entitlements =
                RequestChecks.entitlements(ApiKeyFilter.caller(http).account());
        return JsonResponses.ok(catalog.datasets().stream()
                .map(d -> DescribedDataset.of(
                        DatasetDescription.of(d, entitlements),
                        published.version(d.name()).orElse(null)))
                .toList());
    }

    /** The only call whose key may be a query parameter. Pages send it as the header: addresses are logged. */
    @Get("/capabilities")
    HttpResponse<byte[]> capabilities(HttpRequest<?> http) {
        String inQuery = http.getParameters().get("api_key");
        return switch (accessCheck.any(inQuery == null ? http.getHeaders().get("api-key") : inQuery)) {
            case AccessCheck.Access.Denied(var answer) -> answer;
            case AccessCheck.Access.Granted(Caller caller) ->
                JsonResponses.ok(Capabilities.of(caller.account(), model.remaining(caller.accountId())));
        };
    }
}
