package millrace.contracts.delivery;

import java.net.URI;
import java.util.Locale;
import millrace.contracts.Hashes;

/**
 * An account with scheme, host and port of a webhook URL. Endpoints are isolated from each other:
 * each has a queue, limits and a breaker of its own.
 */
public record WebhookEndpoint(String accountId, String scheme, String host, int port) {
    private static final int ID_DIGITS = 24;

    /** @param url an accepted webhook URL: absolute, http or https, with a host */
    public static WebhookEndpoint of(String accountId, String url) {
        URI uri = URI.create(url);
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        return new WebhookEndpoint(accountId, scheme, uri.getHost().toLowerCase(Locale.ROOT), port);
    }

    /**
     * The id of an endpoint in API answers: {@code ep_} and 24 hex digits.
     *
     * @param key {@link #key()}
     */
    public static String id(String key) {
        return "ep_" + Hashes.sha256(key).substring(0, ID_DIGITS);
    }

    /** The key of records about the endpoint: {@code {account}|{scheme}://{host}:{port}}. */
    public String key() {
        return accountId + "|" + scheme + "://" + host + ":" + port;
    }
}
