package millrace.notifier.delivery;

import java.time.Instant;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.Breaker;
import millrace.contracts.delivery.EndpointState.Failure;
import org.jspecify.annotations.Nullable;

/** The last success and failure of an endpoint, and when its state was last published. Not thread-safe. */
public final class EndpointHistory {
    private static final long PUBLISH_INTERVAL_MILLIS = 5000;

    private @Nullable Instant lastSuccess;
    private @Nullable Failure lastError;
    private @Nullable Breaker publishedBreaker;
    private int publishedStopped;
    private long publishedAt = Long.MIN_VALUE / 2;

    public @Nullable Instant lastSuccess() {
        return lastSuccess;
    }

    public @Nullable Failure lastError() {
        return lastError;
    }

    public void succeeded(Instant at) {
        lastSuccess = at;
    }

    public void failed(Failure failure) {
        lastError = failure;
    }

    /** Whether there was a failure after the last success. */
    boolean failedLast() {
        return lastError != null && (lastSuccess == null || lastSuccess.isBefore(lastError.at()));
    }

    boolean isPublished() {
        return publishedBreaker != null;
    }

    /** When the state was last published, in milliseconds since the epoch. */
    public long publishedAt() {
        return publishedAt;
    }

    /** Whether the state is to be published again. */
    public boolean publishDue(EndpointQueue queue, long now) {
        return now - publishedAt >= PUBLISH_INTERVAL_MILLIS
                || queue.flow().breaker().state(now) != publishedBreaker
                || queue.gone().size() != publishedStopped;
    }

    public void published(EndpointQueue queue, long now) {
        publishedAt = now;
        publishedBreaker = queue.flow().breaker().state(now);
        publishedStopped = queue.gone().size();
    }

    /** Takes over the state that a former owner published. */
    void restore(EndpointState state) {
        lastSuccess = state.lastSuccessAt();
        lastError = state.lastError();
        publishedBreaker = state.breaker();
        publishedStopped = state.stoppedUrls();
        publishedAt = state.updatedAt().toEpochMilli();
    }
}
