package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.UUID;

/** Work for the notifier, keyed by {@link WebhookEndpoint#key()}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DeliveryCommand.Deliver.class, name = "deliver"),
    @JsonSubTypes.Type(value = DeliveryCommand.Reinstate.class, name = "reinstate"),
    @JsonSubTypes.Type(value = DeliveryCommand.Resend.class, name = "resend"),
    @JsonSubTypes.Type(value = DeliveryCommand.EnableEndpoint.class, name = "enable_endpoint"),
})
public sealed interface DeliveryCommand {
    String accountId();

    /** {@link WebhookEndpoint#key()}, the key of the record. */
    String endpoint();

    /**
     * One event for one URL.
     *
     * @param eventId {@code webhook-id}, the same for every attempt: {@code {report}.{sequence}}
     * @param sequence of the report; a report's next event waits for the first attempt of the one before it
     * @param body the exact JSON text that is signed and sent
     */
    record Deliver(
            String eventId,
            String accountId,
            String url,
            UUID reportId,
            int sequence,
            Instant occurredAt,
            String body,
            String traceparent)
            implements DeliveryCommand {
        @Override
        public String endpoint() {
            return WebhookEndpoint.of(accountId, url).key();
        }
    }

    /** A webhook test to the URL succeeded: deliveries that a 410 had stopped may go on. */
    record Reinstate(String accountId, String url, Instant occurredAt) implements DeliveryCommand {
        @Override
        public String endpoint() {
            return WebhookEndpoint.of(accountId, url).key();
        }
    }

    /**
     * The account asks for an event once more, whatever became of it. One that waits is due at once; any other is delivered as
     * a new one would be, with all pauses of the schedule, but its attempts go on counting, so that each keeps a number of its
     * own.
     *
     * @param delivery as it was: the same event id, URL and body, whether or not the original record still exists
     * @param attempts that had ended, as far as was known when it was asked for
     */
    record Resend(Deliver delivery, int attempts, Instant requestedAt) implements DeliveryCommand {
        @Override
        public String accountId() {
            return delivery.accountId();
        }

        @Override
        public String endpoint() {
            return delivery.endpoint();
        }
    }

    /** The account says that its endpoint works again: the breaker closes, and URLs that a 410 had stopped may be used. */
    record EnableEndpoint(String accountId, String endpoint, Instant requestedAt) implements DeliveryCommand {}
}
