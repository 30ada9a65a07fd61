package millrace.gateway.api.agents;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.catalog.Catalog;
import millrace.contracts.Json;
import millrace.gateway.api.documents.OpenApi;

/**
 * What agents are told of the tools: {@code tools.yaml}, with the schemas of the API that it refers to put in, since
 * clients read each schema by itself.
 */
@Singleton
final class ToolDefinitions {
    private static final TypeReference<Map<String, Object>> SCHEMA = new TypeReference<>() {};
    private static final String REFERENCE = "$ref";

    private final List<Tool> all;

    ToolDefinitions(Catalog catalog, InstantSource clock) {
        ObjectNode document = OpenApi.document(catalog, LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
        JsonNode tools = document.set("tools", read()).path("tools");
        all = tools.properties().stream()
                .map(tool -> tool(tool.getKey(), tool.getValue(), document))
                .toList();
    }

    List<Tool> all() {
        return all;
    }

    private static JsonNode read() {
        try (InputStream in = ToolDefinitions.class.getResourceAsStream("tools.yaml")) {
            return new YAMLMapper().readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Tool tool(String name, JsonNode declared, ObjectNode document) {
        JsonNode does = declared.path("does");
        return Tool.builder(name, schema(declared.path("input"), document))
                .title(declared.path("title").asText())
                .description(declared.path("description").asText())
                .outputSchema(schema(declared.path("output"), document))
                .annotations(ToolAnnotations.builder()
                        .readOnlyHint(does.asText().equals("read"))
                        .destructiveHint(does.asText().equals("end"))
                        .idempotentHint(!does.asText().equals("end"))
                        .openWorldHint(false)
                        .build())
                .build();
    }

    private static Map<String, Object> schema(JsonNode declared, ObjectNode document) {
        return Json.MAPPER.convertValue(resolved(declared, document), SCHEMA);
    }

    /** A copy with what is referred to in place of the references. What stands beside one is added to it. */
    private static JsonNode resolved(JsonNode node, ObjectNode document) {
        if (node instanceof ArrayNode array) {
            ArrayNode copy = array.arrayNode();
            array.forEach(item -> copy.add(resolved(item, document)));
            return copy;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode copy = object.objectNode();
        if (object.has(REFERENCE)) {
            add(copy, (ObjectNode) resolved(target(object.path(REFERENCE).asText(), document), document));
        }
        ObjectNode beside = object.objectNode();
        object.properties().stream()
                .filter(field -> !field.getKey().equals(REFERENCE))
                .forEach(field -> beside.set(field.getKey(), resolved(field.getValue(), document)));
        add(copy, beside);
        return copy;
    }

    private static JsonNode target(String reference, ObjectNode document) {
        JsonNode target = document.at(reference.substring(1));
        if (target.isMissingNode()) {
            throw new IllegalStateException("there is no " + reference);
        }
        return target;
    }

    private static void add(ObjectNode to, ObjectNode more) {
        for (Map.Entry<String, JsonNode> field : more.properties()) {
            JsonNode there = to.path(field.getKey());
            if (there instanceof ObjectNode object && field.getValue() instanceof ObjectNode fields) {
                add(object, fields);
            } else if (there instanceof ArrayNode array && field.getValue() instanceof ArrayNode items) {
                array.addAll(items);
            } else {
                to.set(field.getKey(), field.getValue());
            }
        }
    }
}
