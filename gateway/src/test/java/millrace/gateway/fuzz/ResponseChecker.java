package millrace.gateway.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import millrace.contracts.Json;
import millrace.gateway.problems.ProblemCode;

/** Sends requests, each on a connection of its own, and says what is wrong with what comes back. */
public final class ResponseChecker {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** For a message that may not be all there: then the client says that it is. */
    private static final Duration MOMENT = Duration.ofMillis(100);
    /** To a path or a method that the document does not name, or to something that is no request. */
    private static final Set<Integer> REFUSALS = Set.of(400, 401, 403, 404, 405, 413, 414, 415, 429, 431);

    private final URI address;

    public ResponseChecker(URI address) {
        this.address = address;
    }

    /** Empty where nothing is. */
    public Optional<String> fault(GeneratedRequest probe) {
        try (var connection = new RawConnection(address, probe.whole() ? TIMEOUT : MOMENT)) {
            connection.send(probe.bytes());
            return probe.whole() ? ofWhole(probe, connection) : ofPart(probe, connection);
        } catch (SocketTimeoutException e) {
            return Optional.of("nothing came for " + TIMEOUT.toSeconds() + " s");
        } catch (IOException | NumberFormatException e) {
            return Optional.of("what came is not HTTP: " + e);
        }
    }

    private static Optional<String> ofWhole(GeneratedRequest probe, RawConnection connection) throws IOException {
        Optional<RawResponse> answer = connection.answer(probe.isHead());
        if (answer.isEmpty()) {
            return Optional.of("the connection was closed without an answer");
        }
        RawResponse came = answer.get();
        String path = path(probe.target());
        Optional<ServedApiDocument.Operation> operation = probe.api().at(probe.method(), path);
        Optional<String> fault = operation.isPresent()
                ? probe.api().fault(operation.get(), came, probe.isHead())
                : REFUSALS.contains(came.status()) || leadsToConsole(path, came)
                        ? Optional.empty()
                        : Optional.of("the document names no such path or method");
        return fault.or(() -> alone(probe, came)).map(sentence -> sentence + "\n  " + came);
    }

    /** The root of the admin port is for browsers, and no part of its API. */
    private static boolean leadsToConsole(String path, RawResponse came) {
        return path.equals("/") && came.header("location").equals("/console");
    }

    /** However much the server makes of it, it answers as always, and in the end closes the connection. */
    private static Optional<String> ofPart(GeneratedRequest probe, RawConnection connection) throws IOException {
        boolean ended = false;
        while (true) {
            try {
                // Nobody knows what the server takes it for; of HEAD there is at most one, and it is not spoiled.
                Optional<RawResponse> answer = connection.answer(probe.isHead());
                if (answer.isEmpty()) {
                    return Optional.empty();
                }
                Optional<String> fault = alone(probe, answer.get());
                if (fault.isPresent() || answer.get().isEventStream()) {
                    return fault.map(sentence -> sentence + "\n  " + answer.get());
                }
            } catch (SocketTimeoutException e) {
                if (ended) {
                    throw e;
                }
                ended = true;
                connection.end();
                connection.timeout(TIMEOUT);
            }
        }
    }

    /** What can be said of an answer without knowing the question. */
    private static Optional<String> alone(GeneratedRequest probe, RawResponse answer) {
        boolean waits = answer.status() == 503 && probe.target().contains("min_sequence");
        if (answer.header("x-request-id").isEmpty()) {
            return Optional.of("the answer does not name its request");
        }
        if (answer.status() >= 500 && !waits) {
            return Optional.of("the service failed");
        }
        if (answer.status() < 400 || probe.isHead() || answer.isPacked()) {
            return Optional.empty();
        }
        try {
            JsonNode problem = Json.MAPPER.readTree(answer.body());
            boolean says = answer.mediaType().equals("application/problem+json")
                    && problem.path("status").asInt() == answer.status()
                    && !problem.path("errors").path(0).asText().isBlank()
                    && ProblemCode.words().contains(problem.path("code").asText())
                    && problem.path("request_id").asText().equals(answer.header("x-request-id"));
            return says
                    ? Optional.empty()
                    : Optional.of("a refusal that is no problem+json with a sentence, a code and the request's id");
        } catch (IOException e) {
            return Optional.of("a refusal that is not JSON");
        }
    }

    /** A slash at the end or a second one changes nothing, and a whole address without a path has that of {@code /}. */
    private static String path(String target) {
        String path = target.replaceFirst("^https?://[^/?#]*/?", "/")
                .split("[?#]", 2)[0]
                .replaceAll("/{2,}", "/")
                .replaceFirst("(?<=.)/$", "");
        try {
            return URLDecoder.decode(path.replace("+", "%2B").replace("%2F", "%252F"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return path;
        }
    }
}
