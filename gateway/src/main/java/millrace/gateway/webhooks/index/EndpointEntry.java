package millrace.gateway.webhooks.index;

import java.util.HashMap;
import java.util.Map;
import millrace.contracts.delivery.WebhookEndpoint;

/** An endpoint, shared by its deliveries in the index. */
final class EndpointEntry {
    /** URLs of an endpoint that has one for each report are not worth sharing. */
    private static final int MAX_SHARED = 100;

    private final String account;
    private final String key;
    private final String id;
    private final int partition;
    private final Map<String, String> urls = new HashMap<>();
    private int deliveries;

    /** @param partition of all records about it, in each webhook topic */
    EndpointEntry(String account, String key, int partition) {
        this.account = account;
        this.key = key;
        this.id = WebhookEndpoint.id(key);
        this.partition = partition;
    }

    String account() {
        return account;
    }

    String key() {
        return key;
    }

    String id() {
        return id;
    }

    int partition() {
        return partition;
    }

    void retain() {
        deliveries++;
    }

    /** Returns whether it still has deliveries. */
    boolean release() {
        return --deliveries > 0;
    }

    /** Returns one instance of the text for all deliveries. */
    String shared(String url) {
        String known = urls.get(url);
        if (known == null && urls.size() < MAX_SHARED) {
            urls.put(url, url);
        }
        return known == null ? url : known;
    }
}
