package millrace.contracts;

import java.net.URI;
import java.util.Locale;

/**
 * The unit of isolation of webhook deliveries: an account with scheme, host and port of the URL. The key of queue, limits,
 * breaker and topics.
 */
public record Endpoint(String accountId, String scheme, String host, int port) {

    /** @param url an accepted webhook URL: absolute, http or https, with a host */
    public static Endpoint of(String accountId, String url) {
        URI uri = URI.create(url);
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        return new Endpoint(accountId, scheme, uri.getHost().toLowerCase(Locale.ROOT), port);
    }

    /** {@code {account}|{scheme}://{host}:{port}}, the record key. */
    public String key() {
        return accountId + "|" + scheme + "://" + host + ":" + port;
    }
}
