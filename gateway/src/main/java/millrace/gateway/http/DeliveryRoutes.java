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
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import millrace.contracts.Json;
import millrace.gateway.commands.Resends;
import millrace.gateway.http.DeliveryFilter.Read;
import millrace.gateway.webhooks.DeliveryIndex;
import millrace.gateway.webhooks.DeliveryView;
import org.jspecify.annotations.Nullable;

/** What became of an account's webhooks, and sending them once more. */
@Controller("/v3/batch/webhooks")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
final class DeliveryRoutes {
    /** Of one call; what is left is for the next one. */
    private static final int MOST_RESENT = 10_000;

    private final DeliveryIndex index;
    private final Deliveries deliveries;
    private final DeliveryAnswers answers;
    private final Resends resends;
    private final RequestBodies bodies;
    private final InstantSource clock;

    DeliveryRoutes(
            DeliveryIndex index,
            Deliveries deliveries,
            DeliveryAnswers answers,
            Resends resends,
            RequestBodies bodies,
            InstantSource clock) {
        this.index = index;
        this.deliveries = deliveries;
        this.answers = answers;
        this.resends = resends;
        this.bodies = bodies;
        this.clock = clock;
    }

    private record One(String id, String state) {}

    /** @param left match and were not resent by this call */
    private record Several(int resent, int gone, long left) {}

    @Get("/deliveries")
    HttpResponse<byte[]> deliveries(HttpRequest<?> http) {
        return switch (DeliveryFilter.ofPage(http)) {
            case Read.Wrong<DeliveryFilter.Page>(var errors) -> Answers.problem(HttpStatus.BAD_REQUEST, errors);
            case Read.Right<DeliveryFilter.Page>(var page) ->
                deliveries
                        .ready()
                        .orElseGet(() -> Answers.ok(DeliveryAnswers.page(
                                index.newest(
                                        KeyFilter.caller(http).accountId(),
                                        page.wanted(),
                                        page.after(),
                                        page.limit() + 1),
                                page.limit())));
        };
    }

    @Get("/deliveries/{id}")
    HttpResponse<byte[]> delivery(HttpRequest<?> http, @PathVariable String id) throws InterruptedException {
        return switch (deliveries.find(KeyFilter.caller(http).accountId(), id)) {
            case Deliveries.Found.Missing(var answer) -> answer;
            case Deliveries.Found.Delivery(var view) -> Answers.ok(answers.detail(view));
        };
    }

    /** A body is not needed. */
    @Post("/deliveries/{id}/resend")
    HttpResponse<byte[]> resend(HttpRequest<?> http, @PathVariable String id, @Nullable @Body InputStream body)
            throws InterruptedException {
        var refusal = bodies.skip(http, body);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        return switch (deliveries.find(KeyFilter.caller(http).accountId(), id)) {
            case Deliveries.Found.Missing(var answer) -> answer;
            case Deliveries.Found.Delivery(var view) -> resent(view);
        };
    }

    private HttpResponse<byte[]> resent(DeliveryView view) {
        Resends.Resent resent = resends.resend(List.of(view));
        if (resent.unknown() > 0) {
            return Answers.unavailable("The event may or may not be resent: Kafka did not acknowledge in time.");
        }
        return resent.gone() > 0
                ? Answers.problem(HttpStatus.NOT_FOUND, "id: Kafka does not have the event any more.")
                : accepted(new One(view.id().toString(), "waiting"));
    }

    @Post("/resend")
    HttpResponse<byte[]> resendMany(HttpRequest<?> http, @Nullable @Body InputStream body) throws IOException {
        return bodies.<HttpResponse<byte[]>>read(http, body, json -> resendMany(http, json), refused -> refused);
    }

    private HttpResponse<byte[]> resendMany(HttpRequest<?> http, byte[] json) {
        return switch (DeliveryFilter.ofBody(json, clock.instant())) {
            case Read.Wrong<millrace.gateway.webhooks.Wanted>(var errors) ->
                Answers.problem(HttpStatus.BAD_REQUEST, errors);
            case Read.Right<millrace.gateway.webhooks.Wanted>(var wanted) ->
                deliveries.ready().orElseGet(() -> {
                    String account = KeyFilter.caller(http).accountId();
                    long all = index.count(account, wanted);
                    List<DeliveryView> found = index.oldest(account, wanted, MOST_RESENT);
                    Resends.Resent resent = resends.resend(found);
                    return resent.unknown() > 0
                            ? Answers.unavailable("Of " + found.size() + " events " + resent.acknowledged()
                                    + " are resent, then Kafka did not acknowledge in time. It is safe to repeat the"
                                    + " request.")
                            : accepted(new Several(resent.acknowledged(), resent.gone(), all - found.size()));
                });
        };
    }

    static io.micronaut.http.MutableHttpResponse<byte[]> accepted(Object answer) {
        return HttpResponse.<byte[]>accepted().body(Json.bytes(answer)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }
}
