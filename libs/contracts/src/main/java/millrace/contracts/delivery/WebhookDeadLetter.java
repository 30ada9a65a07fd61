package millrace.contracts.delivery;

import java.time.Instant;
import java.util.UUID;

/**
 * An event that was given up, topic {@code webhook-dead-letters}.
 *
 * @param url without query string
 * @param reason a sentence
 * @param body what would have been sent, without its download link
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
        String body) {}
