package millrace.client.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.Connection;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TerminalText;
import org.jspecify.annotations.Nullable;

/**
 * The API of the service. A request that meets no answer, or one that says "later", is sent again
 * for a while; what the service refuses is told in its own sentences.
 */
public final class Api {
    private static final Duration SILENCE = Duration.ofSeconds(60);
    /** Answers that may be better a moment later. */
    private static final Set<Integer> LATER = Set.of(429, 502, 503, 504);

    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_SHOWN = 200;

    private final Connection connection;
    private final Http http;
    private final RetryDelay retryDelay;

    Api(Connection connection, Http http, RetryDelay retryDelay) {
        this.connection = connection;
        this.http = http;
        this.retryDelay = retryDelay;
    }

    /** What may be done where it is not known whether a request has arrived. */
    private enum Repeat {
        ALWAYS,
        /** It might be done twice: only where it has certainly not arrived. */
        UNSENT
    }

    public URI url() {
        return connection.url();
    }

    public Answer get(Target target) throws CliException, InterruptedException {
        return call("GET", target, null, Map.of(), Repeat.ALWAYS);
    }

    /** A request that may be repeated: asked twice it does what it does once. */
    public Answer postSafely(Target target, JsonNode body, Map<String, String> headers)
            throws CliException, InterruptedException {
        return call("POST", target, Json.bytes(body), headers, Repeat.ALWAYS);
    }

    /**
     * A request that is sent once, and again only where it has not arrived.
     *
     * @param body null: none
     */
    public Answer post(Target target, @Nullable JsonNode body) throws CliException, InterruptedException {
        return call("POST", target, body == null ? new byte[0] : Json.bytes(body), Map.of(), Repeat.UNSENT);
    }

    /** Done twice it does what it does once. */
    public Answer delete(Target target) throws CliException, InterruptedException {
        return call("DELETE", target, null, Map.of(), Repeat.ALWAYS);
    }

    private Answer call(String method, Target target, byte @Nullable [] body, Map<String, String> more, Repeat repeat)
            throws CliException, InterruptedException {
        Map<String, String> headers = new HashMap<>(more);
        headers.put("api-key", key());
        headers.put("Accept", "application/json");
        if (body != null) {
            headers.put("Content-Type", "application/json");
        }
        while (true) {
            String failure;
            Duration asked = null;
            boolean known;
            try (Http.Response response =
                    http.send(method, URI.create(connection.url() + target.text()), headers, body, SILENCE)) {
                String text = new String(response.body().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
                asked = RetryAfter.of(response.header("Retry-After"), Instant.now());
                if (!LATER.contains(response.status())) {
                    retryDelay.worked();
                    return answer(response, text, asked);
                }
                failure = String.join("\n", sentences(response, text));
                known = response.status() == 429;
            } catch (IOException e) {
                failure = "no answer from " + connection.url() + ": " + Failures.reason(e);
                known = Failures.notSent(e);
            }
            if (repeat == Repeat.UNSENT && !known) {
                throw new CliException(
                        ExitCodes.UNAVAILABLE,
                        failure + "\nwhether the request was carried out is not known: look before you repeat it");
            }
            if (!retryDelay.pause(firstLine(failure), asked)) {
                throw unavailable(failure);
            }
        }
    }

    String key() throws CliException {
        if (connection.key() == null) {
            throw new CliException(
                    ExitCodes.UNAUTHORIZED,
                    "no key for " + connection.url() + ": log in with millrace login, or set MILLRACE_KEY");
        }
        return connection.key();
    }

    private Answer answer(Http.Response response, String text, @Nullable Duration asked) throws CliException {
        String elsewhere = response.header("Location");
        if (response.status() >= 300 && response.status() < 400 && elsewhere != null) {
            // Not followed: the key is for the address that was given.
            throw new CliException(
                    ExitCodes.USAGE,
                    connection.url() + " leads to " + TerminalText.escaped(elsewhere)
                            + "; where that is the service, give its address with --url or MILLRACE_URL");
        }
        if (response.status() < 200 || response.status() > 299) {
            throw refused(response, text);
        }
        if (response.status() == 204) {
            return new Answer(Json.object(), asked, false);
        }
        try {
            JsonNode body = Json.read(text);
            if (body.isContainerNode()) {
                return new Answer(body, asked, "true".equals(response.header("Idempotent-Replayed")));
            }
        } catch (JsonProcessingException e) {
            // Told below, as any other answer that is not the API's.
        }
        throw new CliException(
                ExitCodes.UNAVAILABLE,
                connection.url() + " answers, but not as Millrace does: " + shown(text) + "; is the address right?");
    }

    /** The service has said no. */
    RefusedException refused(Http.Response response, String text) {
        int status = response.status();
        List<String> sentences = sentences(response, text);
        if (status == 401) {
            sentences.add("the key was not accepted by " + connection.url()
                    + ": log in with millrace login, or look at MILLRACE_KEY and --key");
        }
        int code = status == 401 ? ExitCodes.UNAUTHORIZED : status >= 500 ? ExitCodes.UNAVAILABLE : ExitCodes.REFUSED;
        return new RefusedException(code, String.join("\n", sentences), field(problem(text), "code"));
    }

    CliException unavailable(String failure) {
        return new CliException(
                ExitCodes.UNAVAILABLE,
                failure + "\nis the service running, and is the address right? It is " + connection.url()
                        + "; others with --url or MILLRACE_URL, more time with --retry-for");
    }

    /** The sentences of a problem, or what came instead of one, and what to quote to support. */
    public static List<String> sentences(Http.Response response, String text) {
        List<String> sentences = new ArrayList<>();
        JsonNode problem = problem(text);
        problem.path("errors").forEach(error -> sentences.add(TerminalText.escaped(error.asText())));
        if (sentences.isEmpty()) {
            String what = problem.hasNonNull("title") ? Json.text(problem, "title") : text;
            sentences.add("HTTP " + response.status() + (what.isBlank() ? "" : ": " + shown(what)));
        }
        String given = field(problem, "request_id");
        String quotable =
                TerminalText.quotable(field(problem, "code"), given == null ? response.header("X-Request-Id") : given);
        if (!quotable.isEmpty()) {
            sentences.add(quotable);
        }
        return sentences;
    }

    /** Empty where it is not of the service itself, but of something before it. */
    private static JsonNode problem(String text) {
        try {
            return Json.read(text);
        } catch (JsonProcessingException e) {
            return Json.object();
        }
    }

    private static @Nullable String field(JsonNode problem, String name) {
        return problem.path(name).isTextual() ? problem.path(name).textValue() : null;
    }

    static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }

    private static String shown(String text) {
        String line = TerminalText.escaped(text.strip().replaceAll("\\s+", " "));
        return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
    }
}
