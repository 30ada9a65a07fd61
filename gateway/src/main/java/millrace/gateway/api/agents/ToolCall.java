package millrace.gateway.api.agents;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.micronaut.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import millrace.contracts.Json;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.Caller;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.BodyFields;
import org.jspecify.annotations.Nullable;

/** One call of a tool: who calls, and with which arguments. An argument that is null is as if it were not there. */
final class ToolCall {
    /** With it a tool has its arguments beside the fields of a request. */
    private static final List<String> BESIDE_A_REQUEST = List.of("dataset", "wait");

    private static final Pattern ANY = Pattern.compile("(?s).{0,1000}");

    private final HttpRequest<?> http;
    private final Map<String, Object> arguments = new LinkedHashMap<>();
    private @Nullable BodyFields fields;

    ToolCall(HttpRequest<?> http, @Nullable Map<String, Object> arguments) {
        this.http = http;
        if (arguments != null) {
            this.arguments.putAll(arguments);
        }
        this.arguments.values().removeIf(Objects::isNull);
    }

    HttpRequest<?> http() {
        return http;
    }

    Caller caller() {
        return ApiKeyFilter.caller(http);
    }

    /** Takes the fields of a request for a report out of the arguments, as a body of the API. */
    byte[] takeRequest() {
        Map<String, Object> request = new LinkedHashMap<>(arguments);
        request.keySet().removeAll(BESIDE_A_REQUEST);
        arguments.keySet().retainAll(BESIDE_A_REQUEST);
        return json(request);
    }

    /** For names and ids; {@code ""} if it is wrong. */
    String words(String name) {
        return fields().words(name);
    }

    /** As it is; {@code ""} if it is missing or wrong. */
    String text(String name) {
        return Objects.requireNonNullElse(fields().optional(name, n -> fields().text(n, ANY, "a short text")), "");
    }

    /** A whole number within these bounds; {@code otherwise} if it is missing. */
    int whole(String name, int least, int most, int otherwise) {
        @Nullable Long given = fields().optional(name, n -> fields().integer(n, least, most));
        return given == null ? otherwise : given.intValue();
    }

    /**
     * To be called once all arguments were asked for.
     *
     * @throws RefusedException if anything is wrong with them, or there are others
     */
    void check() {
        RefusedException.ifAny(fields().errors());
    }

    private BodyFields fields() {
        BodyFields known = fields;
        if (known == null) {
            known = BodyFields.of(json(arguments));
            fields = known;
        }
        return known;
    }

    /** Half a pair of surrogates, which no text of UTF-8 can hold, becomes a question mark. */
    private static byte[] json(Map<String, Object> object) {
        try {
            return Json.MAPPER.writeValueAsString(object).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
