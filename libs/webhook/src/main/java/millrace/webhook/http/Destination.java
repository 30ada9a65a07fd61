package millrace.webhook.http;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.contracts.delivery.WebhookAddress;
import org.jspecify.annotations.Nullable;

/**
 * The host, port and path of a webhook request.
 *
 * @param host lower case, IPv6 without brackets, without a trailing dot
 * @param target path and query, in ASCII
 */
record Destination(boolean tls, String host, int port, String target) {
    /**
     * Numbers that some resolvers read as an IPv4 address: {@code 2130706433}, {@code 0x7f.1},
     * {@code 0177.0.0.1}.
     */
    private static final Pattern NUMERIC = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");

    private static final String BYTE = "(0|[1-9][0-9]{0,2})";
    private static final Pattern DOTTED_QUAD = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");

    /** @throws URISyntaxException where nothing may be sent to the URL; the reason says why */
    static Destination of(String url) throws URISyntaxException {
        WebhookAddress address = WebhookAddress.of(url);
        String scheme = address.scheme();
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw new URISyntaxException("the URL", "is not http or https");
        }
        if (address.host() == null || address.uri().getRawUserInfo() != null) {
            throw new URISyntaxException("the URL", "needs a host, and no user info");
        }
        String host = host(address.host().toLowerCase(Locale.ROOT));
        if (NUMERIC.matcher(host).matches() && !DOTTED_QUAD.matcher(host).matches()) {
            throw new URISyntaxException("the URL", "has a host that is an ambiguous number");
        }
        int port = address.portOrUsual();
        if (port == 0 || port > 65_535) {
            throw new URISyntaxException("the URL", "has no valid port");
        }
        // Letters outside ASCII are percent-encoded; a request line has none.
        URI uri = new URI(address.uri().toASCIIString());
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new Destination(scheme.equals("https"), host, port, path + query);
    }

    /** The address where the host is an address; empty where it is a name. */
    Optional<InetAddress> literal() {
        byte @Nullable [] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("parsed as an address: " + host, e);
        }
    }

    String hostHeader() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    /** Destinations with the same key can share connections. */
    String connectionKey() {
        return (tls ? "https://" : "http://") + host + ":" + port;
    }

    private static String host(String raw) {
        String host = raw.startsWith("[") ? raw.substring(1, raw.length() - 1) : raw;
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }
}
