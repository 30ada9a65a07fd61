package millrace.contracts.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import millrace.contracts.Json;
import millrace.contracts.topics.Topic;

/** The JSON Schemas of the public topics, {@code schemas/<topic>.v1.json}. */
final class TopicSchemas {
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final SchemaValidatorsConfig FORMATS_COUNT =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    private TopicSchemas() {}

    static String fileName(Topic<?> topic) {
        return topic.name() + ".v1.json";
    }

    static JsonNode read(String fileName) {
        try (var in = TopicSchemas.class.getResourceAsStream("/schemas/" + fileName)) {
            return Json.MAPPER.readTree(Objects.requireNonNull(in, "there is no schema file " + fileName));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is wrong with the message, as sentences. */
    static List<String> check(Topic<?> topic, JsonNode message) {
        return messages(load(SchemaLocation.of("classpath:schemas/" + fileName(topic))), message);
    }

    static List<String> check(JsonNode schema, JsonNode value) {
        return messages(FACTORY.getSchema(schema, FORMATS_COUNT), value);
    }

    /** What is wrong with the schema itself. */
    static List<String> checkSchema(JsonNode schema) {
        return messages(load(SchemaLocation.of(SpecVersion.VersionFlag.V202012.getId())), schema);
    }

    private static JsonSchema load(SchemaLocation location) {
        return FACTORY.getSchema(location, FORMATS_COUNT);
    }

    private static List<String> messages(JsonSchema schema, JsonNode value) {
        return schema.validate(value).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }
}
