package millrace.contracts.delivery;

import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import millrace.contracts.Hashes;

/**
 * An account with scheme, host and port of a webhook URL. Endpoints are isolated from each other:
 * each has a queue, limits and a breaker of its own.
 */
public record WebhookEndpoint(String accountId, String scheme, String host, int port) {
    private static final int ID_DIGITS = 24;

    /** @param url an accepted webhook URL: absolute, http or https, with a host */
    public static WebhookEndpoint of(String accountId, String url) {
        try {
            WebhookAddress address = WebhookAddress.of(url);
            String host = Objects.requireNonNull(address.host()).toLowerCase(Locale.ROOT);
            return new WebhookEndpoint(accountId, address.scheme(), host, address.portOrUsual());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not an accepted webhook URL: " + e.getReason(), e);
        }
    }

    /**
     * The id of an endpoint in API answers: {@code ep_} and 24 hex digits.
     *
     * @param key {@link #key()}
     */
    public static String id(String key) {
        return "ep_" + Hashes.sha256(key).substring(0, ID_DIGITS);
    }

    /** A webhook URL without its query, which may hold secrets. */
    public static String withoutQuery(String url) {
        int end = url.length();
        for (char mark : new char[] {'?', '#'}) {
            int at = url.indexOf(mark);
            end = at >= 0 ? Math.min(end, at) : end;
        }
        return url.substring(0, end);
    }

    /** The key of records about the endpoint: {@code {account}|{scheme}://{host}:{port}}. */
    public String key() {
        return accountId + "|" + scheme + "://" + host + ":" + port;
    }
}
