package millrace.gateway.server;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells clients which limits a call counted against and what is left of them, in the headers
 * {@code RateLimit-Policy} and {@code RateLimit} (draft-ietf-httpapi-ratelimit-headers-10).
 */
public final class LimitHeaders {
    /** Names of the headers, for pages of other origins. */
    public static final String POLICY = "RateLimit-Policy";

    public static final String LEFT = "RateLimit";

    private LimitHeaders() {}

    /**
     * Tells in the answer of the request, after what was told before, of a limit of calls in any second.
     *
     * @param remaining calls that could be sent at once
     * @param pause until a call is let through, if this one was not
     */
    public static void addPerSecond(
            HttpRequest<?> request, String name, int most, int remaining, Optional<Duration> pause) {
        long seconds = pause.map(JsonResponses::wholeSeconds).orElse(1L);
        join(request, POLICY, '"' + name + "\";q=" + most + ";w=1");
        join(request, LEFT, '"' + name + "\";r=" + remaining + ";t=" + seconds);
    }

    /** The same of a limit of the reports that are processing at a time. */
    public static void addOpenReports(HttpRequest<?> request, int most, int open) {
        join(request, POLICY, "\"open-reports\";q=" + most + ";qu=\"concurrent-requests\"");
        join(request, LEFT, "\"open-reports\";r=" + Math.max(0, most - open));
    }

    private static void join(HttpRequest<?> request, String header, String item) {
        String before = request.getAttribute(header, String.class).orElse(null);
        request.setAttribute(header, before == null ? item : before + ", " + item);
    }

    /** Sets the headers of an answer; none if the request counted against no limit. */
    static void write(HttpRequest<?> request, MutableHttpResponse<?> response) {
        for (String header : new String[] {POLICY, LEFT}) {
            request.getAttribute(header, String.class).ifPresent(items -> response.header(header, items));
        }
    }
}
