package millrace.gateway.http;

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
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import millrace.contracts.Json;
import millrace.gateway.webhooks.DeliveryCursor;
import millrace.gateway.webhooks.State;
import millrace.gateway.webhooks.Wanted;
import org.jspecify.annotations.Nullable;

/** Reads which deliveries a client means; everything that is wrong is said at once. */
final class DeliveryFilter {
    private static final int LIMIT = 20;
    private static final int MOST = 100;
    private static final Pattern ENDPOINT = Pattern.compile("ep_[0-9a-f]{24}");
    private static final List<String> PARAMETERS =
            List.of("report_id", "endpoint", "state", "from", "to", "limit", "cursor");
    private static final List<String> FIELDS = List.of("from", "to", "endpoint", "states");

    private final List<String> errors = new ArrayList<>();

    private DeliveryFilter() {}

    /** What was read, or what is wrong with it. */
    sealed interface Read<T> {
        record Right<T>(T value) implements Read<T> {}

        record Wrong<T>(List<String> errors) implements Read<T> {}
    }

    record Page(Wanted wanted, @Nullable DeliveryCursor after, int limit) {}

    static Read<Page> ofPage(HttpRequest<?> http) {
        return new DeliveryFilter().page(http);
    }

    private Read<Page> page(HttpRequest<?> http) {
        errors.addAll(Parameters.unknown(http, PARAMETERS));
        HttpParameters given = http.getParameters();
        String report = given.get("report_id");
        Optional<UUID> reportId = report == null ? Optional.empty() : Reports.id(report);
        if (report != null && reportId.isEmpty()) {
            errors.add("report_id: must be the id of a report.");
        }
        List<String> states = given.getAll("state").stream()
                .flatMap(s -> List.of(s.split(",", -1)).stream())
                .toList();
        var wanted = new Wanted(
                reportId.orElse(null),
                endpoint(given.get("endpoint")),
                states("state", states),
                time("from", given.get("from"), Instant.EPOCH),
                time("to", given.get("to"), Instant.MAX));
        String cursor = given.get("cursor");
        Optional<DeliveryCursor> after = cursor == null ? Optional.empty() : DeliveryCursor.parse(cursor);
        if (cursor != null && after.isEmpty()) {
            errors.add("cursor: must be the next_cursor of an earlier page.");
        }
        OptionalInt limit = Parameters.integer(http, "limit", 1, MOST, LIMIT);
        if (limit.isEmpty()) {
            errors.add("limit: must be a whole number from 1 to " + MOST + ".");
        }
        return errors.isEmpty()
                ? new Read.Right<>(new Page(wanted, after.orElse(null), limit.orElse(LIMIT)))
                : new Read.Wrong<>(errors);
    }

    /** @param now the end of the range where the client names none */
    static Read<Wanted> ofBody(byte[] json, Instant now) {
        return new DeliveryFilter().body(json, now);
    }

    private Read<Wanted> body(byte[] json, Instant now) {
        JsonNode body;
        try {
            body = Json.MAPPER.readTree(json);
        } catch (IOException e) {
            return new Read.Wrong<>(List.of("The body must be JSON."));
        }
        if (!body.isObject()) {
            return new Read.Wrong<>(List.of("The body must be a JSON object with the field from, a time."));
        }
        for (Map.Entry<String, JsonNode> field : body.properties()) {
            if (!FIELDS.contains(field.getKey())) {
                errors.add(Parameters.unknown(field.getKey(), "field", FIELDS));
            }
        }
        if (!body.has("from")) {
            errors.add("from: is required, a time like 2026-11-02T08:15:30Z.");
        }
        List<String> states = new ArrayList<>();
        if (body.has("states")
                && (!body.path("states").isArray() || body.path("states").isEmpty())) {
            errors.add("states: must be an array of " + String.join(", ", State.words()) + ".");
        }
        body.path("states").forEach(s -> states.add(s.isTextual() ? s.textValue() : s.toString()));
        var wanted = new Wanted(
                null,
                endpoint(text(body, "endpoint")),
                body.has("states") ? states("states", states) : EnumSet.of(State.FAILED, State.DEAD),
                time("from", text(body, "from"), Instant.EPOCH),
                time("to", text(body, "to"), now));
        return errors.isEmpty() ? new Read.Right<>(wanted) : new Read.Wrong<>(errors);
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

    private Set<State> states(String name, List<String> words) {
        Set<State> states = EnumSet.noneOf(State.class);
        for (String word : words) {
            Optional<State> state = State.of(word);
            state.ifPresent(states::add);
            if (state.isEmpty()) {
                errors.add(name + ": must be of " + String.join(", ", State.words()) + ".");
                return states;
            }
        }
        return states;
    }

    private long time(String name, @Nullable String text, Instant otherwise) {
        Optional<Instant> time = Parameters.time(text, otherwise);
        if (time.isEmpty()) {
            errors.add(name + ": must be a time like 2026-11-02T08:15:30Z.");
        }
        Instant at = time.orElse(Instant.EPOCH);
        return at.equals(Instant.MAX) ? Long.MAX_VALUE : at.toEpochMilli();
    }
}
