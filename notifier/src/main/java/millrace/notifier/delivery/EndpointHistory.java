package millrace.notifier.delivery;

import java.time.Instant;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.Breaker;
import millrace.contracts.delivery.EndpointState.Failure;
import org.jspecify.annotations.Nullable;

/** What is told about an endpoint, and what was told last. For one thread. */
public final class EndpointHistory {
    private static final long WHILE_ONLY_NUMBERS_CHANGE = 5000;

    private @Nullable Instant lastSuccess;
    private @Nullable Failure lastError;
    private @Nullable Breaker toldBreaker;
    private int toldStopped;
    private long toldAt = Long.MIN_VALUE / 2;

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

    /** When it was last told of, milliseconds since the epoch. */
    public long toldAt() {
        return toldAt;
    }

    /** Whether it is time to tell of it again. */
    public boolean worthTelling(EndpointQueue queue, long now) {
        return now - toldAt >= WHILE_ONLY_NUMBERS_CHANGE
                || queue.flow().breaker().state(now) != toldBreaker
                || queue.gone().size() != toldStopped;
    }

    public void told(EndpointQueue queue, long now) {
        toldAt = now;
        toldBreaker = queue.flow().breaker().state(now);
        toldStopped = queue.gone().size();
    }

    /** As somebody else told it. */
    void restore(EndpointState state) {
        lastSuccess = state.lastSuccessAt();
        lastError = state.lastError();
        toldBreaker = state.breaker();
        toldStopped = state.stoppedUrls();
        toldAt = state.updatedAt().toEpochMilli();
    }
}
