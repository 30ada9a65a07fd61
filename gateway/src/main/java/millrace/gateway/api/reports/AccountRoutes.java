package millrace.gateway.api.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.List;
import millrace.catalog.Catalog;
import millrace.catalog.access.DatasetDescription;
import millrace.catalog.access.Entitlements;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.AccessCheck;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.api.datasets.DescribedDataset;
import millrace.gateway.api.datasets.PublishedDatasets;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;

/** Answers with an account's credits and with what it may ask for. */
@Controller
@BlockingRoutes
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

    /** @param credits the same, as some clients call it */
    private record Credits(long remainingCredits, long credits) {}

    /** What the key's user may use of the account. There are no limits of users: both are null. */
    private record UserCredits(
            @JsonInclude @Nullable Long userAllowance,
            @JsonInclude @Nullable Long userRemaining) {}

    private record UserCapabilities(long allowance, long userRemaining) {}

    @Get("/v3/batch/credits")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> credits(HttpRequest<?> http) {
        return credits(ApiKeyFilter.caller(http));
    }

    /** The credits that the account can still reserve. */
    public HttpResponse<byte[]> credits(Caller caller) {
        long remaining = model.remaining(caller.accountId());
        return JsonResponses.ok(new Credits(remaining, remaining));
    }

    @Get("/v3/batch/user-credits")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> userCredits() {
        return JsonResponses.ok(new UserCredits(null, null));
    }

    @Get("/v3/batch/tables/describe")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> describe(HttpRequest<?> http) {
        return JsonResponses.ok(datasets(ApiKeyFilter.caller(http)));
    }

    /** Every dataset, with what the account may ask of it. */
    public List<DescribedDataset> datasets(Caller caller) {
        Entitlements entitlements = caller.entitlements();
        return catalog.datasets().stream()
                .map(d -> DescribedDataset.of(
                        DatasetDescription.of(d, entitlements),
                        published.version(d.name()).orElse(null)))
                .toList();
    }

    @Get("/capabilities")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters("api_key")
    HttpResponse<byte[]> capabilities(HttpRequest<?> http) {
        return switch (access(http)) {
            case AccessCheck.Access.Denied(var answer) -> answer;
            case AccessCheck.Access.Granted(Caller caller) ->
                JsonResponses.ok(Capabilities.of(caller.account(), model.remaining(caller.accountId())));
        };
    }

    @Get("/user-capabilities")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters("api_key")
    HttpResponse<byte[]> userCapabilities(HttpRequest<?> http) {
        return switch (access(http)) {
            case AccessCheck.Access.Denied(var answer) -> answer;
            case AccessCheck.Access.Granted(Caller caller) -> {
                long remaining = model.remaining(caller.accountId());
                long granted = model.balance(caller.accountId())
                        .map(AccountState::granted)
                        .orElse(remaining);
                yield JsonResponses.ok(new UserCapabilities(granted, remaining));
            }
        };
    }

    /** Only these calls take the key as a query parameter, too. Pages send it as the header: addresses are logged. */
    private AccessCheck.Access access(HttpRequest<?> http) {
        String inQuery = http.getParameters().get("api_key");
        AccessCheck.Access access = accessCheck.any(http, inQuery == null ? ApiKeyFilter.key(http) : inQuery);
        return access instanceof AccessCheck.Access.Granted
                ? QueryParameters.refusal(http)
                        .<AccessCheck.Access>map(AccessCheck.Access.Denied::new)
                        .orElse(access)
                : access;
    }
}
