package millrace.gateway.api.webhooks;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.EndpointStates;
import millrace.gateway.copy.deliveries.EndpointTotals;
import org.jspecify.annotations.Nullable;

/**
 * Builds the responses about endpoints: from the state that an endpoint's owner wrote, or from its
 * deliveries while there is none.
 */
@Singleton
final class EndpointResponses {
    private final DeliveryIndex index;
    private final EndpointStates states;
    private final InstantSource clock;

    EndpointResponses(DeliveryIndex index, EndpointStates states, InstantSource clock) {
        this.index = index;
        this.states = states;
        this.clock = clock;
    }

    /** @param httpStatus absent where the receiver did not answer */
    record Failure(
            Instant at,
            @Nullable Integer httpStatus,
            @Nullable String error) {}

    /**
     * @param endpoint its id
     * @param origin scheme, host and port
     * @param state {@code active}, {@code stopped} (a URL answered 410), {@code parked} (all of it
     *     waits) or {@code recovering}
     * @param nextProbeAt {@code heldUntil} while the breaker is open
     * @param heldUntil when it is tried again; null where it is not held, and where that is with the next event or now
     * @param heldReason why all of it is held
     * @param heldUrls number of URLs that are held while others go on
     */
    record Answer(
            String endpoint,
            String origin,
            String state,
            EndpointState.Breaker breaker,
            long waiting,
            @Nullable Instant oldestWaiting,
            @Nullable Instant nextProbeAt,
            @Nullable Instant heldUntil,
            EndpointState.@Nullable HeldReason heldReason,
            @Nullable Instant lastSuccessAt,
            @Nullable Failure lastError,
            int stoppedUrls,
            List<EndpointState.StoppedUrl> stopped,
            int heldUrls,
            List<EndpointState.HeldUrl> held) {}

    /** @param nextCursor null on the last page */
    record Page(
            List<Answer> endpoints, @JsonInclude @Nullable String nextCursor) {}

    /** Endpoints in the order of their origins. */
    Page page(String accountId, @Nullable String after, int limit) {
        Instant now = clock.instant();
        var all = new TreeMap<String, Answer>();
        index.endpoints(accountId, after, limit + 1)
                .forEach((origin, totals) -> all.put(origin, answer(accountId, origin, totals)));
        states.of(accountId).forEach((key, state) -> {
            if (after == null || origin(key).compareTo(after) > 0) {
                all.put(origin(key), answer(state, now));
            }
        });
        List<Answer> found = all.values().stream().limit(limit + 1L).toList();
        List<Answer> shown = found.subList(0, Math.min(limit, found.size()));
        return new Page(shown, found.size() > limit ? shown.getLast().origin() : null);
    }

    /** {@link WebhookEndpoint#key()} of the account's endpoint with the id. */
    Optional<String> key(String accountId, String id) {
        return states.of(accountId).keySet().stream()
                .filter(key -> WebhookEndpoint.id(key).equals(id))
                .findFirst()
                .or(() -> index.endpointKey(accountId, id));
    }

    static Answer answer(EndpointState s, Instant now) {
        EndpointState.Failure error = s.lastError();
        EndpointState.Held held = s.held();
        EndpointState.HeldReason reason = held == null ? null : held.reason();
        boolean open = s.breaker() == EndpointState.Breaker.OPEN;
        Instant until = held == null ? s.nextProbeAt() : held.until();
        Instant heldUntil = until == null || until.isBefore(now) ? null : until; // what is past is being tried
        List<EndpointState.HeldUrl> urls = held == null
                ? List.of()
                : held.newest().stream()
                        .filter(url -> !url.until().isBefore(now))
                        .toList();
        return new Answer(
                WebhookEndpoint.id(s.endpoint()),
                origin(s.endpoint()),
                state(s, reason),
                s.breaker(),
                s.waiting(),
                s.oldestWaiting(),
                open ? heldUntil : null,
                heldUntil,
                open && reason == null && urls.isEmpty() ? EndpointState.HeldReason.FAILING : reason,
                s.lastSuccessAt(),
                error == null ? null : new Failure(error.at(), error.httpStatus(), error.error()),
                s.stoppedUrls(),
                s.stopped(),
                held == null ? 0 : held.urls() - held.newest().size() + urls.size(),
                urls);
    }

    private static String state(EndpointState s, EndpointState.@Nullable HeldReason held) {
        if (s.breaker() == EndpointState.Breaker.HALF_OPEN) {
            return "recovering";
        }
        if (s.breaker() == EndpointState.Breaker.OPEN
                || held == EndpointState.HeldReason.RETRY_AFTER
                || held == EndpointState.HeldReason.FAILING) {
            return "parked";
        }
        return s.stoppedUrls() > 0 ? "stopped" : "active";
    }

    private static Answer answer(String accountId, String origin, EndpointTotals totals) {
        Instant errorAt = DeliveryResponses.time(totals.lastErrorAt());
        return new Answer(
                WebhookEndpoint.id(accountId + "|" + origin),
                origin,
                "active",
                EndpointState.Breaker.CLOSED,
                totals.waiting(),
                totals.waiting() == 0 ? null : Instant.ofEpochMilli(totals.oldestWaiting()),
                null,
                null,
                null,
                DeliveryResponses.time(totals.lastSuccessAt()),
                errorAt == null
                        ? null
                        : new Failure(errorAt, totals.lastErrorStatus() == 0 ? null : totals.lastErrorStatus(), null),
                0,
                List.of(),
                0,
                List.of());
    }

    private static String origin(String key) {
        return key.substring(key.indexOf('|') + 1);
    }
}
