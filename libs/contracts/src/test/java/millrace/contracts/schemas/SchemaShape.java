package millrace.contracts.schemas;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import millrace.contracts.Json;
import millrace.contracts.samples.MessageParts;

/** Compares a schema with the Java type it describes: the same fields in the same order, types, words, and which are required. */
final class SchemaShape {
    private static final SnakeCaseStrategy SNAKE_CASE = new SnakeCaseStrategy();
    private static final Map<Type, String> SCALARS = Map.of(
            String.class, "string",
            UUID.class, "string uuid",
            Instant.class, "string date-time",
            LocalDate.class, "string date",
            int.class, "integer",
            Integer.class, "integer",
            long.class, "integer",
            Long.class, "integer",
            double.class, "number",
            boolean.class, "boolean");

    private final List<String> differences = new ArrayList<>();

    private SchemaShape() {}

    /** Where schema and type disagree, each with its place; empty where they agree. */
    static List<String> differences(String fileName, Type type) {
        var shape = new SchemaShape();
        JsonNode root = TopicSchemas.read(fileName);
        shape.compare(fileName, root, root, type);
        return shape.differences;
    }

    private void compare(String place, JsonNode root, JsonNode schema, Type type) {
        String reference = schema.path("$ref").asText();
        if (reference.startsWith("#")) {
            compare(place, root, root.at(reference.substring(1)), type);
        } else if (!reference.isEmpty()) {
            JsonNode other = TopicSchemas.read(reference);
            compare(place, other, other, type);
        } else if (type instanceof Class<?> c && c.isRecord()) {
            compareRecord(place, root, schema, c);
        } else if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            expect(place, "type", "array", schema.path("type").asText());
            compare(place + "[]", root, schema.path("items"), generic.getActualTypeArguments()[0]);
        } else if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
            expect(place, "type", "object", schema.path("type").asText());
            compare(place + ".*", root, schema.path("additionalProperties"), generic.getActualTypeArguments()[1]);
        } else if (type instanceof Class<?> c && c.isEnum()) {
            expect(place, "enum", words(c), texts(schema.path("enum")));
        } else {
            String format = schema.path("format").asText().replace("uri", "");
            expect(
                    place,
                    "type",
                    SCALARS.getOrDefault(type, "a type without a word in JSON"),
                    (schema.path("type").asText() + " " + format).strip());
        }
    }

    private void compareRecord(String place, JsonNode root, JsonNode schema, Class<?> type) {
        expect(place, "type", "object", schema.path("type").asText());
        expect(place, "description", true, schema.hasNonNull("description"));
        JsonNode properties = schema.path("properties");
        List<String> names = new ArrayList<>();
        Set<String> required = new TreeSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = SNAKE_CASE.translate(component.getName());
            names.add(name);
            if (!MessageParts.optional(component)) {
                required.add(name);
            }
            JsonNode property = properties.path(name);
            boolean described = property.hasNonNull("description") || property.has("$ref");
            expect(place + "." + name, "description", true, described);
            compare(place + "." + name, root, property, component.getGenericType());
        }
        for (Method derived : type.getDeclaredMethods()) {
            if (derived.isAnnotationPresent(JsonProperty.class) && !derived.isSynthetic()) {
                String name = SNAKE_CASE.translate(derived.getName());
                names.add(name);
                compare(place + "." + name, root, properties.path(name), derived.getGenericReturnType());
            }
        }
        List<String> declared = new ArrayList<>();
        properties.fieldNames().forEachRemaining(declared::add);
        expect(place, "properties", names, declared);
        expect(place, "required", required, new TreeSet<>(texts(schema.path("required"))));
        expect(
                place,
                "room for more fields",
                true,
                schema.path("additionalProperties").asBoolean(true));
    }

    private void expect(String place, String what, Object java, Object schema) {
        if (!java.equals(schema)) {
            differences.add(place + ": " + what + " is " + java + " in Java and " + schema + " in the schema");
        }
    }

    private static List<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> Json.MAPPER.valueToTree(constant).asText())
                .toList();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toList());
    }
}
