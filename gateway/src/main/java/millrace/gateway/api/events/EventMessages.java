package millrace.gateway.api.events;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import millrace.contracts.Json;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StatusResponse;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.gateway.api.credits.EntryResponse;
import millrace.gateway.api.status.StatusResponses;
import millrace.gateway.copy.activity.ActivityEvent;
import millrace.gateway.copy.activity.ActivityEvent.Attempted;
import millrace.gateway.copy.activity.ActivityEvent.Entered;
import millrace.gateway.copy.activity.ActivityEvent.ReportChanged;
import millrace.gateway.copy.activity.ActivityEvent.VersionAvailable;
import org.jspecify.annotations.Nullable;

/** The JSON of events, each with an id that is the same at every gateway. */
@Singleton
final class EventMessages {
    /** Makes the status of a report as request-status answers it. */
    private final Function<ReportStatus, StatusResponse> statuses;

    @Inject
    EventMessages(StatusResponses statuses) {
        this((Function<ReportStatus, StatusResponse>) statuses::of);
    }

    EventMessages(Function<ReportStatus, StatusResponse> statuses) {
        this.statuses = statuses;
    }

    /** An event as the stream has it. */
    record Message(EventType type, String json) {}

    private record Report(String id, String type, Instant occurredAt, StatusResponse report) {}

    private record Delivery(String id, String type, Instant occurredAt, Attempt delivery) {}

    /**
     * @param id the webhook-id of the event that was sent
     * @param endpoint its id
     */
    private record Attempt(
            String id,
            UUID reportId,
            int sequence,
            String endpoint,
            int attempt,
            WebhookAttempt.Outcome outcome,
            @Nullable Integer httpStatus,
            @Nullable String error,
            @Nullable Instant nextAttemptAt,
            @Nullable Instant heldUntil,
            EndpointState.@Nullable HeldReason heldReason) {}

    private record Credits(String id, String type, Instant occurredAt, EntryResponse entry) {}

    private record BalanceLow(String id, String type, Instant occurredAt, long remaining, long threshold) {}

    private record Version(String id, String type, Instant occurredAt, DataVersionAvailable data) {}

    private record Reset(String type, String reason) {}

    Message of(ActivityEvent event) {
        String id = event.place().id();
        Instant at = event.occurredAt();
        return switch (event) {
            case ReportChanged changed ->
                message(EventType.REPORT, type -> new Report(id, type, at, statuses.apply(changed.report())));
            case Attempted attempted ->
                message(EventType.DELIVERY, type -> new Delivery(id, type, at, attempt(attempted.attempt())));
            case Entered entered ->
                message(
                        EventType.CREDITS,
                        type -> new Credits(id, type, at, EntryResponse.of(entered.entry(), entered.dataset())));
            case VersionAvailable available ->
                message(EventType.DATA_VERSION_AVAILABLE, type -> new Version(id, type, at, available.version()));
        };
    }

    /** @param threshold that the entry has made the remaining credits fall below */
    static Message low(Entered entered, long threshold) {
        return message(
                EventType.BALANCE_LOW,
                type -> new BalanceLow(
                        entered.place().id() + ".low",
                        type,
                        entered.occurredAt(),
                        entered.entry().remaining(),
                        threshold));
    }

    /** @param reason a sentence */
    static String reset(String reason) {
        return Json.text(new Reset(EventType.RESET, reason));
    }

    private static Message message(EventType type, Function<String, Record> body) {
        return new Message(type, Json.text(body.apply(type.word())));
    }

    private static Attempt attempt(WebhookAttempt a) {
        return new Attempt(
                a.eventId(),
                a.reportId(),
                a.sequence(),
                WebhookEndpoint.id(a.endpoint()),
                a.attempt(),
                a.outcome(),
                a.httpStatus(),
                a.error(),
                a.nextAttemptAt(),
                a.heldUntil(),
                a.heldReason());
    }
}
