package millrace.e2e.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.Json;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Checks records against {@code docs/asyncapi.yaml}. */
final class AsyncApiChecks {
    private static final Path DOCS = Path.of("..", "docs");
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    private final JsonNode document;

    private AsyncApiChecks(JsonNode document) {
        this.document = document;
    }

    static AsyncApiChecks read() throws IOException {
        return new AsyncApiChecks(
                new YAMLMapper().readTree(DOCS.resolve("asyncapi.yaml").toFile()));
    }

    /** The names of the topics. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        document.path("channels")
                .forEach(channel -> names.add(channel.path("address").asText()));
        return names;
    }

    /** Checks key, headers and value of a record. */
    void holds(ConsumerRecord<String, byte[]> found) throws IOException {
        ObjectNode headers = Json.MAPPER.createObjectNode();
        found.headers().forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
        JsonNode message = message(found.topic(), headers.path("ce_type").asText());
        String about = found.topic() + " " + found.key() + " " + headers;

        assertThat(found.key())
                .as(about)
                .matches(message.at("/bindings/kafka/key/pattern").asText());
        assertThat(headers.path("ce_source").asText()).isEqualTo("/millrace/" + found.topic());
        valid(document.at("/components/schemas/cloudEvent"), headers, about);
        valid(message.at("/headers/allOf/1"), headers, about);
        Path schema = DOCS.resolve(message.at("/payload/$ref").asText())
                .toAbsolutePath()
                .normalize();
        JsonNode value = Json.MAPPER.readTree(found.value());
        valid(SCHEMAS.getSchema(SchemaLocation.of(schema.toUri().toString())), value, about + " " + value);
    }

    private JsonNode message(String topic, String type) {
        for (JsonNode channel : document.path("channels")) {
            if (!channel.path("address").asText().equals(topic)) {
                continue;
            }
            for (JsonNode reference : channel.path("messages")) {
                JsonNode message = document.at(reference.path("$ref").asText().substring(1));
                for (JsonNode known : message.at("/headers/allOf/1/properties/ce_type/enum")) {
                    if (known.asText().equals(type)) {
                        return message;
                    }
                }
            }
        }
        throw new AssertionError("topic " + topic + " has no message of type " + type);
    }

    private static void valid(JsonNode schema, JsonNode value, String about) {
        assertThat(schema.isObject()).as(about).isTrue();
        valid(SCHEMAS.getSchema(schema), value, about);
    }

    private static void valid(JsonSchema schema, JsonNode value, String about) {
        assertThat(schema.validate(value)).as(about).isEmpty();
    }
}
