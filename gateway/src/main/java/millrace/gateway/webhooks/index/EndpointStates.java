package millrace.gateway.webhooks.index;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.contracts.delivery.EndpointState;

/** The newest state of each endpoint, as its owner wrote it. Safe for use by many threads. */
public final class EndpointStates {
    private final Map<String, Map<String, EndpointState>> accounts = new ConcurrentHashMap<>();

    void put(EndpointState state) {
        accounts.computeIfAbsent(state.accountId(), a -> new ConcurrentHashMap<>())
                .put(state.endpoint(), state);
    }

    /** @param endpoint the key of a tombstone: {@code {account}|{origin}} */
    void remove(String endpoint) {
        String account = endpoint.substring(0, Math.max(0, endpoint.indexOf('|')));
        accounts.computeIfPresent(account, (a, states) -> {
            states.remove(endpoint);
            return states.isEmpty() ? null : states;
        });
    }

    /**
     * The states of the account's endpoints, by {@link
     * millrace.contracts.delivery.WebhookEndpoint#key()}.
     */
    public Map<String, EndpointState> of(String accountId) {
        return Map.copyOf(accounts.getOrDefault(accountId, Map.of()));
    }
}
