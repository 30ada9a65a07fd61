package millrace.gateway.server;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells clients which limits a call counted against and what is left of them, in the headers
 * {@code RateLimit-Policy} and {@code RateLimit} (draft-ietf-httpapi-ratelimit-headers-10).
 */
public sealed interface LimitHeaders {
    /** Names of the headers, for pages of other origins. */
    String POLICY = "RateLimit-Policy";

    String LEFT = "RateLimit";

    /** An item of the header {@code RateLimit-Policy}. */
    String policy();

    /** An item of the header {@code RateLimit}. */
    String left();

    /**
     * A limit of calls in any second.
     *
     * @param remaining calls that could be sent at once
     * @param pause until a call is let through, if this one was not
     */
    record PerSecond(String name, int most, int remaining, Optional<Duration> pause) implements LimitHeaders {
        @Override
        public String policy() {
            return '"' + name + "\";q=" + most + ";w=1";
        }

        @Override
        public String left() {
            long seconds = pause.map(JsonResponses::wholeSeconds).orElse(1L);
            return '"' + name + "\";r=" + remaining + ";t=" + seconds;
        }
    }

    /** A limit of the reports that are processing at a time. */
    record OpenReports(int most, int open) implements LimitHeaders {
        @Override
        public String policy() {
            return "\"open-reports\";q=" + most + ";qu=\"concurrent-requests\"";
        }

        @Override
        public String left() {
            return "\"open-reports\";r=" + Math.max(0, most - open);
        }
    }

    /** Tells of a limit in the answer of the request, after those that were added before. */
    static void add(HttpRequest<?> request, LimitHeaders limit) {
        join(request, POLICY, limit.policy());
        join(request, LEFT, limit.left());
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
