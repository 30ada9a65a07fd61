package millrace.gateway.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values that a schema allows, as far as it can be seen in it, and others. */
final class SchemaValues {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** What is meant by the patterns of our documents. */
    private static final Map<String, String> BY_PATTERN = Map.of(
            "^ep_[0-9a-f]{24}$", "ep_000000000000000000000000",
            "^([0-9]{1,4}[sm]|0?([0-6]?[0-9]{1,2}|7[01][0-9]|720)h|0{0,2}([0-2]?[0-9]|30)d)$", "2h",
            "^[A-Z]{2}$", "US");

    private final ServedApiDocument api;
    private final SeededRandom dice;

    SchemaValues(ServedApiDocument api, SeededRandom dice) {
        this.api = api;
        this.dice = dice;
    }

    JsonNode of(JsonNode described) {
        JsonNode schema = api.resolved(described);
        if (schema.has("const")) {
            return schema.path("const");
        }
        if (schema.has("enum")) {
            return schema.path("enum").get(dice.below(schema.path("enum").size()));
        }
        if (schema.has("oneOf")) {
            return of(schema.path("oneOf").get(dice.below(schema.path("oneOf").size())));
        }
        return switch (schema.path("type").asText("object")) {
            case "string" -> JSON.textNode(text(schema));
            case "integer", "number" -> JSON.numberNode(integer(schema));
            case "boolean" -> JSON.booleanNode(dice.percent(50));
            case "array" -> array(schema);
            default -> object(schema);
        };
    }

    private String text(JsonNode schema) {
        String pattern = schema.path("pattern").asText();
        if (BY_PATTERN.containsKey(pattern)) {
            return BY_PATTERN.getOrDefault(pattern, "");
        }
        return switch (schema.path("format").asText()) {
            case "uuid" ->
                dice.of("845d6440-79d1-4125-964e-eaef0d6923e5", "00000000-0000-0000-0000-00000000000" + dice.below(9));
            case "date-time" -> dice.of("2026-06-15T12:00:00Z", "2026-11-02T08:15:30.120+02:00");
            case "date" -> dice.of("2025-01-01", "2026-06-30");
            // Nobody listens there, and no name is looked up.
            case "uri" -> "http://127.0.0.1:9/hook";
            default ->
                schema.has("example") ? schema.path("example").asText() : dice.of("fuzzed", "a-1", "demographics");
        };
    }

    private long integer(JsonNode schema) {
        long least = schema.path("minimum").asLong(0);
        long most = schema.path("maximum").asLong(least + 1000);
        return dice.of(least, most, least + Math.floorMod(dice.number(), Math.min(1000, most - least + 1)));
    }

    private ArrayNode array(JsonNode schema) {
        ArrayNode array = JSON.arrayNode();
        for (int i = dice.below(3); i >= 0; i--) {
            array.add(of(schema.path("items")));
        }
        return array;
    }

    private ObjectNode object(JsonNode schema) {
        ObjectNode object = JSON.objectNode();
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (required.contains(field.getKey()) || dice.percent(40)) {
                object.set(field.getKey(), of(field.getValue()));
            }
        }
        JsonNode names = schema.path("propertyNames").path("enum");
        if (!names.isEmpty() && dice.percent(80)) {
            object.set(names.get(dice.below(names.size())).asText(), of(schema.path("additionalProperties")));
        }
        return object;
    }

    /** Something else in one place of an object, or in its whole. */
    JsonNode spoiled(JsonNode value) {
        if (!value.isObject() || value.isEmpty() || dice.percent(10)) {
            return other();
        }
        ObjectNode object = value.deepCopy();
        List<String> fields =
                object.properties().stream().map(Map.Entry::getKey).toList();
        String field = dice.of(fields);
        JsonNode there = object.path(field);
        switch (dice.below(5)) {
            case 0 -> object.remove(field);
            case 1 -> object.set(dice.of("unknown", field + "s", dice.hostile()), other());
            case 2 -> object.set(field, there.isArray() ? longer(there) : other());
            case 3 -> object.set(field, spoiled(there));
            default -> object.set(field, other());
        }
        return object;
    }

    private ArrayNode longer(JsonNode some) {
        ArrayNode array = some.deepCopy();
        return array.add(other());
    }

    private JsonNode other() {
        return switch (dice.below(8)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.arrayNode().add(dice.hostile());
            case 2 -> JSON.objectNode().put(dice.hostile(), 1);
            case 3 -> JSON.numberNode(dice.of(-1L, 0L, 1L, Long.MAX_VALUE, Long.MIN_VALUE));
            case 4 -> JSON.numberNode(dice.of(1.5, -0.0, 1e300));
            case 5 -> JSON.booleanNode(true);
            default -> JSON.textNode(dice.hostile());
        };
    }
}
