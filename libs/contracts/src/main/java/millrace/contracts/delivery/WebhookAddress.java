package millrace.contracts.delivery;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a URL is for. Unlike {@link URI} it takes hosts with underscores, which DNS has.
 *
 * @param host as it is written; null where the URL has none, or one that cannot be
 * @param port -1 where the URL has none
 */
public record WebhookAddress(URI uri, @Nullable String host, int port) {
    private static final String LABEL = "(?!-)[A-Za-z0-9_-]{1,63}(?<!-)";
    /** The last label begins with a letter: numbers are addresses. */
    private static final Pattern AUTHORITY =
            Pattern.compile("((?:" + LABEL + "\\.)*(?=[A-Za-z])" + LABEL + "\\.?)(?::([0-9]{1,5}))?");

    /** @throws URISyntaxException where the text is no URL */
    public static WebhookAddress of(String url) throws URISyntaxException {
        URI uri = new URI(url);
        String authority = uri.getRawAuthority();
        if (uri.getHost() != null || authority == null || authority.indexOf('_') < 0) {
            return new WebhookAddress(uri, uri.getHost(), uri.getPort());
        }
        Matcher parts = AUTHORITY.matcher(authority);
        return parts.matches()
                ? new WebhookAddress(
                        uri, parts.group(1), parts.group(2) == null ? -1 : Integer.parseInt(parts.group(2)))
                : new WebhookAddress(uri, null, -1);
    }

    /** In lower case; empty where the URL is relative. */
    public String scheme() {
        return uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    }

    /** The port, or that of the scheme. */
    public int portOrUsual() {
        return port >= 0 ? port : scheme().equals("https") ? 443 : 80;
    }
}
