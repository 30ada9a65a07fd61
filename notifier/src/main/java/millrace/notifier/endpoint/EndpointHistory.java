package millrace.notifier.endpoint;

import java.time.Instant;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.Breaker;
import millrace.contracts.delivery.EndpointState.Failure;
import millrace.contracts.delivery.EndpointState.Held;
import millrace.contracts.delivery.EndpointState.HeldReason;
import org.jspecify.annotations.Nullable;

/** The last success and failure of an endpoint, and when its state was last published. Not thread-safe. */
public final class EndpointHistory {
    private static final long PUBLISH_INTERVAL_MILLIS = 5000;

    private @Nullable Instant lastSuccess;
    private @Nullable Failure lastError;
    private @Nullable Breaker publishedBreaker;
    private int publishedStopped;
    private @Nullable HeldReason publishedHeld;
    private int publishedHeldUrls;
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
    long publishedAt() {
        return publishedAt;
    }

    /** Whether the state is to be published again. */
    public boolean publishDue(EndpointQueue queue, long now) {
        return now - publishedAt >= PUBLISH_INTERVAL_MILLIS
                || queue.flow().breaker().state(now) != publishedBreaker
                || queue.goneUrls() != publishedStopped
                || heldChanged(queue.held(now));
    }

    private boolean heldChanged(@Nullable Held held) {
        return (held == null ? null : held.reason()) != publishedHeld
                || (held == null ? 0 : held.urls()) != publishedHeldUrls;
    }

    public void published(EndpointState state) {
        publishedAt = state.updatedAt().toEpochMilli();
        publishedBreaker = state.breaker();
        publishedStopped = state.stoppedUrls();
        Held held = state.held();
        publishedHeld = held == null ? null : held.reason();
        publishedHeldUrls = held == null ? 0 : held.urls();
    }

    /** Takes over the state that a former owner published. */
    void restore(EndpointState state) {
        lastSuccess = state.lastSuccessAt();
        lastError = state.lastError();
        published(state);
    }
}
