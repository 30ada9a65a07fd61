package millrace.gateway.api.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import io.micronaut.http.HttpParameters;
import io.micronaut.http.HttpRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import millrace.contracts.Json;
import millrace.gateway.copy.deliveries.DeliveryCursor;
import millrace.gateway.copy.deliveries.DeliverySelection;
import millrace.gateway.copy.deliveries.DeliveryStatus;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import org.jspecify.annotations.Nullable;

/** Parses which deliveries a client selects. Reports all errors at once. */
final class DeliverySelectionParser {
    private static final int LIMIT = 20;
    private static final int MOST = 100;
    private static final Pattern ENDPOINT = Pattern.compile("ep_[0-9a-f]{24}");
    private static final List<String> FIELDS = List.of("from", "to", "endpoint", "states");

    private final List<String> errors = new ArrayList<>();

    private DeliverySelectionParser() {}

    record Page(DeliverySelection selection, @Nullable DeliveryCursor after, int limit) {}

    /** @throws RefusedException if a parameter is wrong */
    static Page ofPage(HttpRequest<?> http) {
        return new DeliverySelectionParser().page(http);
    }

    private Page page(HttpRequest<?> http) {
        HttpParameters parameters = http.getParameters();
        Optional<UUID> reportId = QueryParameters.parsed(
                http, "report_id", QueryParameters::reportId, "must be the id of a report.", errors);
        var selection = new DeliverySelection(
                reportId.orElse(null),
                endpoint(parameters.get("endpoint")),
                states("state", QueryParameters.words(http, "state")),
                time("from", parameters.get("from"), Instant.EPOCH),
                time("to", parameters.get("to"), Instant.MAX));
        Optional<DeliveryCursor> after = QueryParameters.cursor(http, DeliveryCursor::parse, errors);
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        RefusedException.ifAny(errors);
        return new Page(selection, after.orElse(null), limit);
    }

    /**
     * @param now the end of the range if the client names none
     * @throws RefusedException if the body is wrong
     */
    static DeliverySelection ofBody(byte[] json, Instant now) {
        return new DeliverySelectionParser().body(json, now);
    }

    private DeliverySelection body(byte[] json, Instant now) {
        JsonNode body;
        try {
            body = Json.MAPPER.readTree(json);
        } catch (IOException e) {
            throw new RefusedException(ProblemCode.INVALID_REQUEST, "The body must be JSON.");
        }
        if (!body.isObject()) {
            throw new RefusedException(
                    ProblemCode.INVALID_REQUEST, "The body must be a JSON object with the field from, a time.");
        }
        for (Map.Entry<String, JsonNode> field : body.properties()) {
            if (!FIELDS.contains(field.getKey())) {
                errors.add(QueryParameters.unknown(field.getKey(), "field", FIELDS));
            }
        }
        body.properties().removeIf(field -> field.getValue().isNull());
        if (!body.has("from")) {
            errors.add("from: is required, a time like 2026-11-02T08:15:30Z.");
        }
        List<String> states = new ArrayList<>();
        if (body.has("states")
                && (!body.path("states").isArray() || body.path("states").isEmpty())) {
            errors.add("states: must be an array of " + String.join(", ", DeliveryStatus.words()) + ".");
        }
        body.path("states").forEach(s -> states.add(s.isTextual() ? s.textValue() : s.toString()));
        var selection = new DeliverySelection(
                null,
                endpoint(text(body, "endpoint")),
                body.has("states") ? states("states", states) : EnumSet.of(DeliveryStatus.FAILED, DeliveryStatus.DEAD),
                time("from", text(body, "from"), Instant.EPOCH),
                time("to", text(body, "to"), now));
        RefusedException.ifAny(errors);
        return selection;
    }

    private static @Nullable String text(JsonNode body, String field) {
        JsonNode value = body.path(field);
        return value.isMissingNode() ? null : value.isTextual() ? value.textValue() : value.toString();
    }

    private @Nullable String endpoint(@Nullable String text) {
        if (text != null && !ENDPOINT.matcher(text).matches()) {
            errors.add("endpoint: must be the id of an endpoint, ep_ and 24 hexadecimal digits.");
        }
        return text;
    }

    private Set<DeliveryStatus> states(String name, List<String> words) {
        Set<DeliveryStatus> states = EnumSet.noneOf(DeliveryStatus.class);
        for (String word : words) {
            Optional<DeliveryStatus> state = DeliveryStatus.of(word);
            state.ifPresent(states::add);
            if (state.isEmpty()) {
                errors.add(name + ": must be of " + String.join(", ", DeliveryStatus.words()) + ".");
                return states;
            }
        }
        return states;
    }

    private long time(String name, @Nullable String text, Instant otherwise) {
        Optional<Instant> time = QueryParameters.time(text, otherwise);
        if (time.isEmpty()) {
            errors.add(name + ": must be a time like 2026-11-02T08:15:30Z.");
        }
        Instant at = time.orElse(Instant.EPOCH);
        return at.equals(Instant.MAX) ? Long.MAX_VALUE : at.toEpochMilli();
    }
}
