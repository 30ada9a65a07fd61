package millrace.contracts.delivery;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of an endpoint, topic {@code internal.endpoint-state}. The notifier that owns the
 * endpoint writes it soon after a change of the breaker, and every few seconds while only numbers
 * change.
 *
 * @param endpoint {@link WebhookEndpoint#key()}, the key of the record
 * @param consecutiveFailures failed attempts since the last success
 * @param openSince when the breaker opened, null while it is closed
 * @param nextProbeAt when the next probe is sent, null unless the breaker is open
 * @param waiting events that are neither delivered nor given up
 * @param oldestWaiting when the oldest of these occurred, null where none waits
 * @param stoppedUrls number of URLs that answered 410 and were not reinstated
 * @param stopped the newest of these, at most {@link #MAX_URLS}
 * @param held what waits although its breaker may be closed; null where nothing is held, and in records of earlier
 *     versions
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
        Instant updatedAt,
        @Nullable Held held) {
    /** Keeps the record small where a receiver has a URL for each report. */
    public static final int MAX_URLS = 20;

    /** The state of the circuit breaker. */
    public enum Breaker {
        /** Events are sent. */
        @JsonProperty("closed")
        CLOSED,
        /** Events wait; only probes are sent. */
        @JsonProperty("open")
        OPEN,
        /** A probe succeeded; the rate of events grows. */
        @JsonProperty("half_open")
        HALF_OPEN
    }

    /** @param httpStatus null where the receiver did not answer */
    public record Failure(Instant at, @Nullable Integer httpStatus, String error) {}

    /** Why no event is sent to a URL, or to any of an endpoint. */
    public enum HeldReason {
        /** The receiver asked to wait. */
        @JsonProperty("retry_after")
        RETRY_AFTER,
        /** Attempts failed in a row. */
        @JsonProperty("failing")
        FAILING,
        /** So many URLs answered 410 that nothing is sent to the endpoint. */
        @JsonProperty("gone")
        GONE
    }

    /**
     * What is held.
     *
     * @param reason why the endpoint waits as a whole; null where only some of its URLs do
     * @param until when it is tried again; null where only some of its URLs wait, and where it is tried with the next
     *     event or is being tried
     * @param urls number of URLs that are held while others go on
     * @param newest of these, at most {@link #MAX_URLS}
     */
    public record Held(
            @Nullable HeldReason reason, @Nullable Instant until, int urls, List<HeldUrl> newest) {}

    /** @param url without query string */
    public record HeldUrl(String url, Instant until, HeldReason reason) {}

    /** @param url without query string */
    public record StoppedUrl(String url, Instant since) {}
}
