package millrace.client.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.client.Client;
import io.millrace.client.MillraceException;
import io.millrace.client.MillraceException.InterruptedCallException;
import io.millrace.client.MillraceException.ServiceException;
import io.millrace.client.Waiting;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.Connection;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TerminalText;
import org.jspecify.annotations.Nullable;

/** The API of the service: calls of the client library, and what is said when they fail. */
public final class Api {
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final int MOST_SHOWN = 200;

    private final Connection connection;
    private final Http http;
    private final Waiting waiting;
    private final Duration retryFor;
    private final Consumer<String> say;

    /** @param say is told once that something failed and is tried again, so that nobody wonders */
    Api(Connection connection, Http http, Waiting waiting, Duration retryFor, Consumer<String> say) {
        this.connection = connection;
        this.http = http;
        this.waiting = waiting;
        this.retryFor = retryFor;
        this.say = say;
    }

    public URI url() {
        return connection.url();
    }

    public Answer get(Target target) throws CliException, InterruptedException {
        return get(target, Map.of());
    }

    public Answer get(Target target, Map<String, String> headers) throws CliException, InterruptedException {
        return call("GET", target, null, headers, false);
    }

    /**
     * What the pages of a list have, up to a number.
     *
     * @param field of a page with what it lists
     * @param page how much a page has at most
     */
    public ArrayNode list(Target target, String field, int page, int most) throws CliException, InterruptedException {
        ArrayNode all = Json.object().putArray(field);
        String cursor = null;
        do {
            JsonNode answer = get(target.with("limit", Math.min(page, most - all.size()))
                            .with("cursor", cursor))
                    .body();
            answer.path(field).forEach(all::add);
            cursor = answer.hasNonNull("next_cursor") ? Json.text(answer, "next_cursor") : null;
        } while (cursor != null && all.size() < most);
        return all;
    }

    /** A request that may be repeated: it has an Idempotency-Key, or changes nothing. */
    public Answer postSafely(Target target, JsonNode body, Map<String, String> headers)
            throws CliException, InterruptedException {
        return call("POST", target, body, headers, false);
    }

    /**
     * A request that is sent once, and again only if it has not arrived.
     *
     * @param body null: none
     */
    public Answer post(Target target, @Nullable JsonNode body) throws CliException, InterruptedException {
        return call("POST", target, body, Map.of(), true);
    }

    /** Done twice it does what it does once. */
    public Answer delete(Target target) throws CliException, InterruptedException {
        return call("DELETE", target, null, Map.of(), false);
    }

    private Answer call(
            String method, Target target, @Nullable JsonNode body, Map<String, String> headers, boolean once)
            throws CliException, InterruptedException {
        try {
            String json = body == null ? null : body.toString();
            return answer(client(this::failure).exchange(method, target.text(), json, headers));
        } catch (InterruptedCallException e) {
            throw new InterruptedException();
        } catch (MillraceException e) {
            if (once && e.ambiguous()) {
                throw new CliException(
                        ExitCodes.UNAVAILABLE,
                        failure(e) + "\nwhether the request was carried out is not known: look before you repeat it");
            }
            throw failed(e, failure(e));
        }
    }

    /**
     * A client that says what it repeats.
     *
     * @param words say what has failed
     */
    public Client client(Function<MillraceException, String> words) throws CliException {
        String key = connection.requiredKey();
        var telling = new Waiting() {
            @Override
            public long nanoTime() {
                return waiting.nanoTime();
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                waiting.pause(duration);
            }

            @Override
            public void retrying(MillraceException failure, int times) {
                if (times == 1) {
                    String first = words.apply(failure).lines().findFirst().orElse("");
                    say.accept(first + "; trying again for up to " + Words.duration(retryFor));
                }
            }
        };
        return new Client(key, connection.url().toString(), SILENCE, retryFor, http, telling);
    }

    private Answer answer(Client.Answer answer) throws CliException {
        if (answer.status() == 204) {
            return new Answer(Json.object(), null, false, false);
        }
        try {
            JsonNode body = Json.read(answer.text());
            if (body.isContainerNode()) {
                boolean replayed = "true".equals(answer.headers().apply("Idempotent-Replayed"));
                return new Answer(body, answer.retryAfter(), answer.held(), replayed);
            }
        } catch (JsonProcessingException e) {
            // Told below, as any other answer that is not the API's.
        }
        throw new CliException(
                ExitCodes.UNAVAILABLE,
                connection.url() + " answers, but not as Millrace does: " + shown(answer.text())
                        + "; is the address right?");
    }

    /** @param failure what has failed, in words */
    CliException failed(MillraceException e, String failure) {
        if (e.retryable() || !(e instanceof ServiceException refused)) {
            return new CliException(
                    ExitCodes.UNAVAILABLE,
                    failure + "\nis the service running, and is the address right? It is " + connection.url()
                            + "; others with --url or MILLRACE_URL, more time with --retry-for");
        }
        int status = refused.status();
        String elsewhere = refused.answer().headers().apply("Location");
        if (status / 100 == 3 && elsewhere != null) {
            // Not followed: the key is for the address that was given.
            return new CliException(
                    ExitCodes.USAGE,
                    connection.url() + " leads to " + TerminalText.escaped(elsewhere)
                            + "; where that is the service, give its address with --url or MILLRACE_URL");
        }
        String sentences = status == 401
                ? failure + "\nthe key was not accepted by " + connection.url()
                        + ": log in with millrace login, or look at MILLRACE_KEY and --key"
                : failure;
        int code = status == 401 ? ExitCodes.UNAUTHORIZED : status >= 500 ? ExitCodes.UNAVAILABLE : ExitCodes.REFUSED;
        var failed = new CliException(code, sentences);
        failed.initCause(refused);
        return failed;
    }

    private String failure(MillraceException e) {
        return e instanceof ServiceException refused
                ? String.join("\n", sentences(refused))
                : "no answer from " + connection.url() + ": " + reason(e);
    }

    /** Why there is no answer. */
    public static String reason(MillraceException e) {
        return e.getCause() instanceof IOException cause ? Failures.reason(cause) : String.valueOf(e.getMessage());
    }

    /** The sentences of a problem, or what came instead of one, and what to quote to support. */
    public static List<String> sentences(ServiceException refused) {
        List<String> sentences = new ArrayList<>();
        String text = refused.answer().text();
        JsonNode problem = problem(text);
        problem.path("errors").forEach(error -> sentences.add(TerminalText.escaped(error.asText())));
        if (sentences.isEmpty()) {
            String what = problem.hasNonNull("title") ? Json.text(problem, "title") : text;
            sentences.add("HTTP " + refused.status() + (what.isBlank() ? "" : ": " + shown(what)));
        }
        String quotable = TerminalText.quotable(refused.code(), refused.requestId());
        if (!quotable.isEmpty()) {
            sentences.add(quotable);
        }
        return sentences;
    }

    /** Empty if it is not of the service itself, but of something before it. */
    private static JsonNode problem(String text) {
        try {
            return Json.read(text);
        } catch (JsonProcessingException e) {
            return Json.object();
        }
    }

    private static String shown(String text) {
        String line = TerminalText.escaped(text.strip().replaceAll("\\s+", " "));
        return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
    }
}
