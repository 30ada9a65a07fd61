package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.jspecify.annotations.Nullable;

/**
 * The description of the public topics for tools: the JSON Schemas, and AsyncAPI in one file. Safe
 * for use by many threads.
 */
final class TopicDocuments {
    static final String ASYNCAPI = "/asyncapi.yaml";
    static final String SCHEMAS = "/schemas";

    /** Where the schemas lie on the class path. */
    private static final String FOLDER = "/schemas/";

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build();

    private byte @Nullable [] asyncapi;

    /** Names of the files with the schemas. */
    static List<String> schemas() {
        return Topics.ALL.stream()
                .filter(topic -> topic.audience() == Topic.Audience.PUBLIC)
                .map(topic -> topic.name() + ".v1.json")
                .toList();
    }

    /** Empty where there is no such file. */
    Optional<byte[]> schema(String file) {
        return schemas().contains(file) ? Optional.of(Resources.bytes(FOLDER + file)) : Optional.empty();
    }

    /** The AsyncAPI document as YAML, with the schemas in it. */
    synchronized byte[] asyncapi() {
        byte[] known = asyncapi;
        if (known == null) {
            known = bundled();
            asyncapi = known;
        }
        return known;
    }

    private static byte[] bundled() {
        try {
            JsonNode document = YAML.readTree(Resources.bytes("asyncapi.yaml"));
            for (JsonNode message : document.path("components").path("messages")) {
                String reference = message.path("payload").path("$ref").asText();
                if (!reference.isEmpty()) {
                    ((ObjectNode) message).set("payload", schemaWithoutReferences(fileName(reference)));
                }
            }
            return YAML.writeValueAsBytes(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String fileName(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    /** Tools for AsyncAPI read references of a schema as references of the whole document, so it has none. */
    private static JsonNode schemaWithoutReferences(String file) throws IOException {
        JsonNode schema = YAML.readTree(Resources.bytes(FOLDER + file));
        return resolved(schema, schema);
    }

    /** @param root of the schema that references within it begin at */
    private static JsonNode resolved(JsonNode node, JsonNode root) throws IOException {
        if (node instanceof ArrayNode array) {
            ArrayNode elements = YAML.createArrayNode();
            for (JsonNode element : array) {
                elements.add(resolved(element, root));
            }
            return elements;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode whole = YAML.createObjectNode();
        String reference = object.path("$ref").asText();
        if (reference.startsWith("#")) {
            whole.setAll((ObjectNode) resolved(root.at(reference.substring(1)), root));
        } else if (!reference.isEmpty()) {
            whole.setAll((ObjectNode) schemaWithoutReferences(reference));
        }
        for (var member : object.properties()) {
            switch (member.getKey()) {
                // Names would have to be unique in the document.
                case "$ref", "$id", "$schema", "$defs" -> {}
                default -> whole.set(member.getKey(), resolved(member.getValue(), root));
            }
        }
        return whole;
    }
}
