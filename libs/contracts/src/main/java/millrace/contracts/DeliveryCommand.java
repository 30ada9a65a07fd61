package millrace.contracts;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.UUID;

/** Work for the notifier, keyed by {@link Endpoint#key()}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DeliveryCommand.Deliver.class, name = "deliver"),
    @JsonSubTypes.Type(value = DeliveryCommand.Reinstate.class, name = "reinstate"),
})
public sealed interface DeliveryCommand {
    String accountId();

    String url();

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
            implements DeliveryCommand {}

    /** A webhook test to the URL succeeded: deliveries that a 410 had stopped may go on. */
    record Reinstate(String accountId, String url, Instant occurredAt) implements DeliveryCommand {}
}
