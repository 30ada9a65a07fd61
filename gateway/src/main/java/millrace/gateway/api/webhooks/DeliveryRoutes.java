package millrace.gateway.api.webhooks;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RateLimit;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.DeliverySelection;
import millrace.gateway.copy.deliveries.DeliveryView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.TakesParameters;
import millrace.gateway.server.body.RequestBodyReader;
import org.jspecify.annotations.Nullable;

/** Lists an account's webhook deliveries and resends them. */
@Controller("/v3/batch/webhooks")
@BlockingRoutes
final class DeliveryRoutes {
    /** Most deliveries that one call resends; clients repeat it for the rest. */
    private static final int MOST_RESENT = 1_000;
    /** Of one account at this gateway. */
    private static final int RESENT_A_SECOND = 1_000;

    private final DeliveryIndex index;
    private final DeliveryFinder deliveries;
    private final DeliveryResponses answers;
    private final EventResender resends;
    private final RequestBodyReader bodies;
    private final InstantSource clock;
    private final RateLimit pace = new RateLimit(System::nanoTime, RESENT_A_SECOND);

    DeliveryRoutes(
            DeliveryIndex index,
            DeliveryFinder deliveries,
            DeliveryResponses answers,
            EventResender resends,
            RequestBodyReader bodies,
            InstantSource clock) {
        this.index = index;
        this.deliveries = deliveries;
        this.answers = answers;
        this.resends = resends;
        this.bodies = bodies;
        this.clock = clock;
    }

    private record One(String id, String state) {}

    /** @param left deliveries that match and were not resent by this call */
    private record Several(int resent, int gone, long left) {}

    @Get("/deliveries")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters(
            value = {"report_id", "endpoint", "from", "to", "limit", "cursor"},
            lists = "state")
    HttpResponse<byte[]> deliveries(HttpRequest<?> http) {
        DeliverySelectionParser.Page page = DeliverySelectionParser.ofPage(http);
        deliveries.requireReady();
        return JsonResponses.ok(DeliveryResponses.page(
                index.newest(ApiKeyFilter.caller(http).accountId(), page.selection(), page.after(), page.limit() + 1),
                page.limit()));
    }

    @Get("/deliveries/{id}")
    @RequiredScopes(KeyScope.READ)
    HttpResponse<byte[]> delivery(HttpRequest<?> http, @PathVariable String id) throws InterruptedException {
        String account = ApiKeyFilter.caller(http).accountId();
        return JsonResponses.ok(answers.detail(account, deliveries.find(account, id)));
    }

    /** Needs no body. */
    @Post("/deliveries/{id}/resend")
    @RequiredScopes(KeyScope.WEBHOOKS)
    HttpResponse<byte[]> resend(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body)
            throws InterruptedException {
        bodies.skip(http, body);
        String account = ApiKeyFilter.caller(http).accountId();
        DeliveryView view = deliveries.find(account, id);
        EventResender.Resent outcome = resends.resend(account, List.of(view));
        if (outcome.unknown() > 0) {
            return JsonResponses.unavailable(
                    ProblemCode.OUTCOME_UNKNOWN,
                    "The event may or may not be resent: Kafka did not acknowledge in time.");
        }
        return outcome.gone() > 0
                ? JsonResponses.problem(ProblemCode.DELIVERY_NOT_FOUND, "id: Kafka does not have the event any more.")
                : JsonResponses.accepted(new One(view.id().toString(), "waiting"));
    }

    @Post("/resend")
    @RequiredScopes(KeyScope.WEBHOOKS)
    HttpResponse<byte[]> resendMany(HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        DeliverySelection selection = DeliverySelectionParser.ofBody(bodies.text(http, body), clock.instant());
        deliveries.requireReady();
        String account = ApiKeyFilter.caller(http).accountId();
        Optional<Duration> wait = pace.take(account);
        if (wait.isPresent()) {
            return JsonResponses.retryAfter(
                    JsonResponses.problem(
                            ProblemCode.TOO_MANY_RESENDS,
                            "The account may resend " + RESENT_A_SECOND
                                    + " events a second; the calls before this one resent more."),
                    wait.get());
        }
        DeliveryIndex.Oldest found = index.oldest(account, selection, MOST_RESENT);
        int events = found.deliveries().size();
        pace.charge(account, events);
        EventResender.Resent outcome = resends.resend(account, found.deliveries());
        return outcome.unknown() > 0
                ? JsonResponses.unavailable(
                        ProblemCode.OUTCOME_UNKNOWN,
                        "Of " + events + " events " + outcome.acknowledged()
                                + " are resent, then Kafka did not acknowledge in time. It is safe to repeat the request.")
                : JsonResponses.accepted(new Several(outcome.acknowledged(), outcome.gone(), found.left()));
    }
}
