package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to deliver an event, topic {@code webhook-attempts}.
 *
 * @param url without query string
 * @param attempt from 1
 * @param httpStatus null where the receiver did not answer
 * @param error a sentence, or null on success
 * @param phase the phase in which it failed or timed out; null where the receiver answered or
 *     nothing was sent
 * @param durationMillis of the whole exchange
 * @param phaseMillis milliseconds by phase: {@code resolve}, {@code connect}, {@code tls}, {@code
 *     send}, {@code headers}, {@code body}; only those reached
 * @param nextAttemptAt time of the next attempt, or null
 * @param responseExcerpt at most 1 KiB of the receiver's answer; null where there was none, or no
 *     text
 * @param endpointId {@link WebhookEndpoint#id}; null in records of earlier versions
 * @param heldUntil no event is sent to the URL, or to the whole endpoint, before; null if neither is held
 * @param heldReason why it is held
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
        @Nullable Instant nextAttemptAt,
        @Nullable String responseExcerpt,
        @Nullable String endpointId,
        @Nullable Instant heldUntil,
        EndpointState.@Nullable HeldReason heldReason) {

    /** The outcome of an attempt. */
    public enum Outcome {
        @JsonProperty("delivered")
        DELIVERED,
        /** The attempt failed; another one follows. */
        @JsonProperty("failed")
        FAILED,
        /** The last attempt failed; the event is in the dead letters. */
        @JsonProperty("given_up")
        GIVEN_UP,
        /** The receiver answered 410. No more deliveries go to this URL. */
        @JsonProperty("gone")
        GONE
    }
}
