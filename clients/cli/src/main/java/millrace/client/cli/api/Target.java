package millrace.client.cli.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Path and query of a request.
 *
 * @param text as it is sent
 */
public record Target(String text) {
    private static final String BATCH = "/v3/batch";

    /** @param segments below {@code /v3/batch}; each is one, whatever characters it has */
    public static Target batch(String... segments) {
        var path = new StringBuilder(BATCH);
        for (String segment : segments) {
            path.append('/').append(encoded(segment));
        }
        return new Target(path.toString());
    }

    /** With a parameter, if there is a value. */
    public Target with(String name, @Nullable Object value) {
        return value == null
                ? this
                : new Target(text + (text.indexOf('?') < 0 ? '?' : '&') + name + "=" + encoded(value.toString()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
