package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.UUID;

/** A command of the notifier. The record's key is {@link WebhookEndpoint#key()}. */
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
     * Sends one event to one URL.
     *
     * @param eventId {@code webhook-id}, the same for every attempt: {@code {report}.{sequence}}
     * @param sequence of the report; a report's next event waits for the first attempt of the one
     *     before it
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

    /** A webhook test of the URL succeeded: deliveries that a 410 had stopped go on. */
    record Reinstate(String accountId, String url, Instant occurredAt) implements DeliveryCommand {
        @Override
        public String endpoint() {
            return WebhookEndpoint.of(accountId, url).key();
        }
    }

    /**
     * Sends an event again, whatever its outcome was. A waiting event becomes due at once. Any
     * other is delivered as a new one, with all pauses of the schedule, but its attempts continue
     * to count, so that each has a number of its own.
     *
     * @param delivery with the original event id, URL and body, since the original record may be
     *     deleted
     * @param attempts attempts that had ended, as far as the gateway knew
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

    /**
     * The account reports that its endpoint works again: the breaker closes, and URLs that a 410
     * had stopped are used again.
     */
    record EnableEndpoint(String accountId, String endpoint, Instant requestedAt) implements DeliveryCommand {}
}
