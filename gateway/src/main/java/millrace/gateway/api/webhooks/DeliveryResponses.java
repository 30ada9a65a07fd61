package millrace.gateway.api.webhooks;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.RecordLookup;
import millrace.gateway.copy.database.PageScan;
import millrace.gateway.copy.deliveries.DeliveryView;
import org.jspecify.annotations.Nullable;

/** Builds the responses about deliveries. */
@Singleton
public final class DeliveryResponses {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final RecordLookup records;

    DeliveryResponses(RecordLookup records) {
        this.records = records;
    }

    /**
     * A delivery in a list.
     *
     * @param endpoint its id
     * @param lastHttpStatus absent where the receiver did not answer
     */
    public record Item(
            String id,
            UUID reportId,
            int sequence,
            String endpoint,
            String url,
            String state,
            int attemptCount,
            Instant occurredAt,
            @Nullable Instant lastAttemptAt,
            @Nullable Integer lastHttpStatus,
            @Nullable Instant nextAttemptAt) {}

    /** @param nextCursor null on the last page */
    record Page(
            List<Item> deliveries, @JsonInclude @Nullable String nextCursor) {}

    /** One attempt as the topic has it, without the fields of its delivery. */
    record Attempt(
            int attempt,
            WebhookAttempt.Outcome outcome,
            @Nullable Integer httpStatus,
            @Nullable String error,
            @Nullable String phase,
            Instant startedAt,
            long durationMillis,
            Map<String, Long> phaseMillis,
            @Nullable Instant nextAttemptAt,
            @Nullable Instant heldUntil,
            EndpointState.@Nullable HeldReason heldReason,
            @Nullable String answerExcerpt) {}

    record GivenUp(Instant at, String reason) {}

    /**
     * One delivery with all that Kafka has about it.
     *
     * @param attempts in their order
     * @param body the exact text that is sent; absent where Kafka has deleted it
     */
    record Detail(
            @JsonUnwrapped Item delivery,
            List<Attempt> attempts,
            @Nullable GivenUp givenUp,
            @Nullable String body) {}

    public static Item item(DeliveryView view) {
        return new Item(
                view.id().toString(),
                view.id().report(),
                view.id().sequence(),
                view.endpoint(),
                view.url(),
                view.state().word(),
                view.attempts(),
                Instant.ofEpochMilli(view.occurredAt()),
                time(view.lastAttemptAt()),
                view.httpStatus() == 0 ? null : view.httpStatus(),
                time(view.nextAttemptAt()));
    }

    static Page page(PageScan<DeliveryView> found, int limit) {
        DeliveryView last = found.last(limit);
        return new Page(
                found.shown(limit).stream().map(DeliveryResponses::item).toList(),
                last == null ? null : last.cursor().text());
    }

    /** Reads Kafka; blocks up to 2 s for each topic. */
    Detail detail(String account, DeliveryView view) {
        DeliveryView.Places places = view.places();
        Deliver event = EventResender.event(
                records.read(account, Topics.DELIVERIES, places.partition(), List.of(places.delivery()), TIMEOUT)
                        .get(places.delivery()));
        List<Long> offsets = Arrays.stream(places.attempts()).boxed().toList();
        var attempts =
                new TreeMap<>(records.read(account, Topics.WEBHOOK_ATTEMPTS, places.partition(), offsets, TIMEOUT));
        return new Detail(
                item(view),
                attempts.values().stream().map(DeliveryResponses::attempt).toList(),
                givenUp(account, places),
                event == null ? null : event.body());
    }

    private @Nullable GivenUp givenUp(String account, DeliveryView.Places places) {
        if (places.deadLetter() < 0) {
            return null;
        }
        WebhookDeadLetter letter = records.read(
                        account, Topics.WEBHOOK_DEAD_LETTERS, places.partition(), List.of(places.deadLetter()), TIMEOUT)
                .get(places.deadLetter());
        return letter == null ? null : new GivenUp(letter.givenUpAt(), letter.reason());
    }

    private static Attempt attempt(WebhookAttempt a) {
        return new Attempt(
                a.attempt(),
                a.outcome(),
                a.httpStatus(),
                a.error(),
                a.phase(),
                a.startedAt(),
                a.durationMillis(),
                a.phaseMillis(),
                a.nextAttemptAt(),
                a.heldUntil(),
                a.heldReason(),
                a.responseExcerpt());
    }

    static @Nullable Instant time(long millis) {
        return millis == 0 ? null : Instant.ofEpochMilli(millis);
    }
}
