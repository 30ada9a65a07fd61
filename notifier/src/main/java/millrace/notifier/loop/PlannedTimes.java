package millrace.notifier.loop;

import java.time.Instant;
import millrace.contracts.delivery.EndpointState;
import org.jspecify.annotations.Nullable;

/** The times of an endpoint that are planned by the loop's clock, and written by the wall clock. */
final class PlannedTimes {
    private PlannedTimes() {}

    /** The state with its planned times moved; what has occurred stays. */
    static EndpointState moved(EndpointState state, long millis) {
        return new EndpointState(
                state.accountId(),
                state.endpoint(),
                state.breaker(),
                state.consecutiveFailures(),
                moved(state.openSince(), millis),
                moved(state.nextProbeAt(), millis),
                state.waiting(),
                state.oldestWaiting(),
                state.lastSuccessAt(),
                state.lastError(),
                state.stoppedUrls(),
                state.stopped(),
                state.updatedAt().plusMillis(millis),
                moved(state.held(), millis));
    }

    private static EndpointState.@Nullable Held moved(EndpointState.@Nullable Held held, long millis) {
        return held == null
                ? null
                : new EndpointState.Held(
                        held.reason(),
                        moved(held.until(), millis),
                        held.urls(),
                        held.newest().stream().map(url -> moved(url, millis)).toList());
    }

    static EndpointState.HeldUrl moved(EndpointState.HeldUrl url, long millis) {
        return new EndpointState.HeldUrl(url.url(), url.until().plusMillis(millis), url.reason());
    }

    private static @Nullable Instant moved(@Nullable Instant time, long millis) {
        return time == null ? null : time.plusMillis(millis);
    }
}
