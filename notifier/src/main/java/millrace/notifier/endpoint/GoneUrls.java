package millrace.notifier.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The URLs of an endpoint that answered 410. Nothing is sent to them, and nothing to any URL of the endpoint if they
 * are too many. Not thread-safe.
 */
final class GoneUrls {
    static final int MOST = 100;
    static final Duration KEPT = Duration.ofDays(30);

    private final String endpoint;
    private final AccountUrls account;
    /** In the order of their answers. */
    private final SequencedMap<String, Gone> urls = new LinkedHashMap<>(0);

    private final class Gone implements AccountUrls.Entry {
        private final String url;
        private final long since;

        private Gone(String url, long since) {
            this.url = url;
            this.since = since;
        }

        @Override
        public String endpoint() {
            return endpoint;
        }

        @Override
        public void forget() {
            urls.remove(url);
            account.deleted(DeliveryState.Gone.key(endpoint, url));
        }
    }

    GoneUrls(String endpoint, AccountUrls account) {
        this.endpoint = endpoint;
        this.account = account;
    }

    /** @param since milliseconds since the epoch */
    void mark(String url, long since) {
        if (!urls.containsKey(url)) {
            if (urls.size() == MOST) {
                remove(urls.firstEntry().getValue());
            }
            Gone gone = new Gone(url, since);
            urls.put(url, gone);
            account.add(gone);
        }
    }

    int size() {
        return urls.size();
    }

    /** Whether they are so many that nothing is sent to the endpoint. */
    boolean full() {
        return urls.size() == MOST;
    }

    /** Why nothing is sent to the URL; null if it is. */
    @Nullable
    String reason(String url) {
        if (full()) {
            return MOST + " URLs of this host answered 410; a webhook test to any of them lifts that.";
        }
        return urls.containsKey(url) ? "The URL answered 410 before; a webhook test to it lifts that." : null;
    }

    /** A webhook test of the URL succeeded. Returns whether there is a change. */
    boolean reinstate(String url) {
        if (full()) {
            forgetAll();
            return true;
        }
        Gone gone = urls.get(url);
        if (gone != null) {
            remove(gone);
        }
        return gone != null;
    }

    void forgetAll() {
        List.copyOf(urls.values()).forEach(this::remove);
    }

    void forgetOld(long now) {
        for (Map.Entry<String, Gone> oldest = urls.firstEntry();
                oldest != null && oldest.getValue().since < now - KEPT.toMillis();
                oldest = urls.firstEntry()) {
            remove(oldest.getValue());
        }
    }

    private void remove(Gone gone) {
        account.remove(gone);
        gone.forget();
    }

    List<EndpointState.StoppedUrl> newest(int most) {
        return urls.sequencedValues().reversed().stream()
                .limit(most)
                .map(gone -> new EndpointState.StoppedUrl(
                        WebhookEndpoint.withoutQuery(gone.url), Instant.ofEpochMilli(gone.since)))
                .toList();
    }
}
