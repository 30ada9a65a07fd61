package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.UUID;

/** A command of the notifier, or a note for who keeps a copy of its deliveries. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DeliveryCommand.Deliver.class, name = "deliver"),
    @JsonSubTypes.Type(value = DeliveryCommand.Reinstate.class, name = "reinstate"),
    @JsonSubTypes.Type(value = DeliveryCommand.Resend.class, name = "resend"),
    @JsonSubTypes.Type(value = DeliveryCommand.EnableEndpoint.class, name = "enable_endpoint"),
    @JsonSubTypes.Type(value = DeliveryCommand.EraseReport.class, name = "erase_report"),
})
public sealed interface DeliveryCommand {
    String accountId();

    /** The key of the record: {@link WebhookEndpoint#key()}, or the account if it is about no endpoint. */
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

    /**
     * A report is erased: copies of its deliveries are deleted. Its events that wait are sent all the same. It is about
     * all of the report's endpoints, of which there is one or none.
     */
    record EraseReport(String accountId, UUID reportId, Instant erasedAt) implements DeliveryCommand {
        @Override
        public String endpoint() {
            return accountId;
        }
    }
}
