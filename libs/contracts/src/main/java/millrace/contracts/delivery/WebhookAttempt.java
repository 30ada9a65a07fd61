package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One try to deliver one event, topic {@code webhook-attempts}.
 *
 * @param url without query string
 * @param attempt from 1
 * @param httpStatus the receiver's, or null where there was no answer
 * @param error a sentence, or null on success
 * @param phase in which it failed or its time ended; null where the receiver answered, or nothing was sent
 * @param durationMillis of the whole exchange
 * @param phaseMillis milliseconds by phase: {@code resolve}, {@code connect}, {@code tls}, {@code send}, {@code headers},
 *     {@code body}; only those reached
 * @param nextAttemptAt when it is tried again, or null
 */
public record WebhookAttempt(
        String eventId,
        String accountId,
        String endpoint,
        String url,
        UUID reportId,
        int sequence,
        int attempt,
        Outcome outcome,
        @Nullable Integer httpStatus,
        @Nullable String error,
        @Nullable String phase,
        Instant startedAt,
        long durationMillis,
        Map<String, Long> phaseMillis,
        @Nullable Instant nextAttemptAt) {

    /** How an attempt ended. */
    public enum Outcome {
        @JsonProperty("delivered")
        DELIVERED,
        /** Will be tried again. */
        @JsonProperty("failed")
        FAILED,
        /** The last try failed; the event is in the dead letters. */
        @JsonProperty("given_up")
        GIVEN_UP,
        /** The receiver answered 410: no more deliveries to this URL. */
        @JsonProperty("gone")
        GONE
    }
}
