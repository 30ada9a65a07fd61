package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an endpoint is doing, topic {@code internal.endpoint-state}; written by the notifier that owns it, soon after a change of
 * the breaker and every few seconds while only numbers change.
 *
 * @param endpoint {@link WebhookEndpoint#key()}, the key of the record
 * @param consecutiveFailures attempts since the last success
 * @param openSince when the breaker opened, null while it is closed
 * @param nextProbeAt when one event tries whether it works again, null unless the breaker is open
 * @param waiting events that are neither delivered nor given up
 * @param oldestWaiting when the oldest of these occurred, null where none waits
 * @param stoppedUrls how many URLs answered 410 and were not reinstated
 * @param stopped the newest of these, at most {@link #MAX_STOPPED}
 */
public record EndpointState(
        String accountId,
        String endpoint,
        Breaker breaker,
        int consecutiveFailures,
        @Nullable Instant openSince,
        @Nullable Instant nextProbeAt,
        long waiting,
        @Nullable Instant oldestWaiting,
        @Nullable Instant lastSuccessAt,
        @Nullable Failure lastError,
        int stoppedUrls,
        List<StoppedUrl> stopped,
        Instant updatedAt) {
    /** A receiver with a URL for each report could otherwise outgrow a record. */
    public static final int MAX_STOPPED = 20;

    /** Whether events flow. */
    public enum Breaker {
        /** They do. */
        @JsonProperty("closed")
        CLOSED,
        /** They wait; now and then one of them tries. */
        @JsonProperty("open")
        OPEN,
        /** One got through; more and more follow. */
        @JsonProperty("half_open")
        HALF_OPEN
    }

    /** @param httpStatus the receiver's, or null where there was no answer */
    public record Failure(Instant at, @Nullable Integer httpStatus, String error) {}

    /** @param url without query string */
    public record StoppedUrl(String url, Instant since) {}
}
