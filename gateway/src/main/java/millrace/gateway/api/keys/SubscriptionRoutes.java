package millrace.gateway.api.keys;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyScope;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.accounts.NewSecrets;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.api.keys.OwnChanges.Wanted;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.body.RequestBodyReader;
import millrace.runtime.accounts.Accounts;
import org.jspecify.annotations.Nullable;

/** Lists the webhooks that get events which are not about a report, subscribes and unsubscribes them. */
@Controller("/v3/batch/webhooks")
@BlockingRoutes
final class SubscriptionRoutes {
    private static final String URL = "webhook_url";
    private static final List<String> EVENT_TYPES = List.of(DataVersionAvailable.EVENT_TYPE);

    private final Accounts accounts;
    private final OwnChanges changes;
    private final RequestBodyReader bodies;
    private final InstantSource clock;

    SubscriptionRoutes(Accounts accounts, OwnChanges changes, RequestBodyReader bodies, InstantSource clock) {
        this.accounts = accounts;
        this.changes = changes;
        this.bodies = bodies;
        this.clock = clock;
    }

    private record Listed(String id, String webhookUrl, List<String> eventTypes, Instant createdAt) {}

    private record Subscriptions(List<Listed> subscriptions) {}

    /** In the order in which they were made. */
    @Get("/subscriptions")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> list(HttpRequest<?> http) {
        return JsonResponses.ok(listed(accounts.record(ApiKeyFilter.caller(http).accountId())
                .map(AccountRecord::subscribed)
                .orElse(List.of())));
    }

    @Post("/subscriptions")
    @RequiredScopes(KeyScope.WEBHOOKS)
    HttpResponse<byte[]> subscribe(HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        if (!accounts.signsWebhooks(ApiKeyFilter.caller(http).accountId())) {
            throw RequestBodyReader.refusal(
                    http,
                    body,
                    JsonResponses.problem(
                            ProblemCode.NO_WEBHOOK_SECRET,
                            "The account has no webhook secret, so that no event could be signed; make one first."));
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return changes.make(http, body, f -> {
            var subscription = new AccountRecord.Subscription(
                    NewSecrets.id("sub_"), f.webhookUrl(URL), List.copyOf(f.wordsOf("event_types", EVENT_TYPES)), now);
            return new Wanted(
                    new AccountChange.Subscribe(subscription), account -> JsonResponses.created(listed(subscription)));
        });
    }

    /** Needs no body. Answers those that are left. */
    @Delete("/subscriptions/{id}")
    @RequiredScopes(KeyScope.WEBHOOKS)
    HttpResponse<byte[]> unsubscribe(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body) {
        bodies.skip(http, body);
        return changes.make(
                ApiKeyFilter.caller(http),
                new Wanted(
                        new AccountChange.Unsubscribe(id), account -> JsonResponses.ok(listed(account.subscribed()))));
    }

    private static Subscriptions listed(List<AccountRecord.Subscription> all) {
        return new Subscriptions(all.stream().map(SubscriptionRoutes::listed).toList());
    }

    private static Listed listed(AccountRecord.Subscription subscription) {
        return new Listed(subscription.id(), subscription.url(), subscription.eventTypes(), subscription.createdAt());
    }
}
