package millrace.contracts.delivery;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that was given up, topic {@code webhook-dead-letters}.
 *
 * @param url without query string
 * @param reason a sentence
 * @param body the event's body without its download link
 * @param endpointId {@link WebhookEndpoint#id}; null in records of earlier versions
 */
public record WebhookDeadLetter(
        String eventId,
        String accountId,
        String endpoint,
        String url,
        UUID reportId,
        int sequence,
        int attempts,
        String reason,
        Instant occurredAt,
        Instant givenUpAt,
        String body,
        @Nullable String endpointId) {}
