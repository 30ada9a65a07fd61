package millrace.gateway.copy.deliveries;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.delivery.EndpointState;

/**
 * The newest state of each endpoint, as its owner wrote it, as long as it says more than the
 * deliveries do: one that works, has nothing to send and has not changed for an hour is forgotten.
 * Of an account a bounded number is kept. Safe for use by many threads.
 */
@Singleton
public final class EndpointStates {
    static final Duration IDLE = Duration.ofHours(1);
    /** About 1 KB each, and at most 80 KB where many URLs answered 410 or are held. */
    static final int MOST_OF_ACCOUNT = 1_000;

    /** Those that work come first, and of others those that have not changed for longest. */
    private static final Comparator<EndpointState> LEAST_WORTH =
            Comparator.comparing(EndpointStates::works).reversed().thenComparing(EndpointState::updatedAt);

    private final Map<String, Map<String, EndpointState>> accounts = new HashMap<>();

    synchronized void put(EndpointState state, Instant now) {
        if (idle(state, now)) {
            remove(state.endpoint());
            return;
        }
        Map<String, EndpointState> states = accounts.computeIfAbsent(state.accountId(), a -> new HashMap<>());
        states.put(state.endpoint(), state);
        if (states.size() > MOST_OF_ACCOUNT) {
            // A few at once, so that it does not sort them for each one more.
            List<EndpointState> least = states.values().stream()
                    .sorted(LEAST_WORTH)
                    .limit(MOST_OF_ACCOUNT / 10)
                    .toList();
            least.forEach(s -> states.remove(s.endpoint()));
        }
    }

    /** @param endpoint the key of a tombstone: {@code {account}|{origin}} */
    synchronized void remove(String endpoint) {
        String account = endpoint.substring(0, Math.max(0, endpoint.indexOf('|')));
        accounts.computeIfPresent(account, (a, states) -> {
            states.remove(endpoint);
            return states.isEmpty() ? null : states;
        });
    }

    synchronized void forgetIdle(Instant now) {
        accounts.values().removeIf(states -> {
            states.values().removeIf(state -> idle(state, now));
            return states.isEmpty();
        });
    }

    /**
     * The states of the account's endpoints, by {@link
     * millrace.contracts.delivery.WebhookEndpoint#key()}.
     */
    public synchronized Map<String, EndpointState> of(String accountId) {
        return Map.copyOf(accounts.getOrDefault(accountId, Map.of()));
    }

    private static boolean idle(EndpointState state, Instant now) {
        return works(state) && state.updatedAt().plus(IDLE).isBefore(now);
    }

    private static boolean works(EndpointState state) {
        return state.breaker() == EndpointState.Breaker.CLOSED
                && state.consecutiveFailures() == 0
                && state.waiting() == 0
                && state.stoppedUrls() == 0;
    }
}
