package millrace.gateway.api.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.contracts.Json;
import millrace.gateway.api.datasets.EntityRoutes;
import millrace.gateway.api.status.StatusRoutes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ToolDefinitionsTest {
    private static final List<Tool> TOOLS =
            new ToolDefinitions(Catalog.builtIn(), InstantSource.fixed(Instant.parse("2026-11-28T12:00:00Z"))).all();
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    static Stream<Tool> tools() {
        return TOOLS.stream();
    }

    /** Clients read each by itself, and those of the API are of OpenAPI 3.1. */
    @ParameterizedTest
    @MethodSource("tools")
    void schemasAreWholeAndOfTheProtocolsDialect(Tool tool) {
        assertThat(tool.title()).isNotBlank();
        assertThat(tool.description()).endsWith(".");
        for (Map<String, Object> schema : List.of(tool.inputSchema(), Objects.requireNonNull(tool.outputSchema()))) {
            assertThat(schema).containsEntry("type", "object");
            JsonNode json = Json.MAPPER.valueToTree(schema);
            assertThat(json.findValues("$ref")).isEmpty();
            assertThat(SCHEMAS.getSchema(SchemaLocation.of(SpecVersion.VersionFlag.V202012.getId()))
                            .validate(json))
                    .isEmpty();
        }
    }

    @Test
    void aReportIsRequestedAsItWasQuoted() {
        JsonNode quote = input("quote_report");
        JsonNode request = input("request_report");
        quote.path("properties").properties().forEach(field -> assertThat(
                        request.path("properties").path(field.getKey()))
                .isEqualTo(field.getValue()));
        assertThat(request.path("required"))
                .extracting(JsonNode::asText)
                .containsExactly("dataset", "metrics", "granularity", "quote");
        assertThat(quote.path("required")).hasSize(3);
    }

    @Test
    void boundsAreThoseOfTheRoutes() {
        assertThat(input("find_entities").at("/properties/limit/maximum").asInt())
                .isEqualTo(EntityRoutes.MOST);
        assertThat(input("find_entities").at("/properties/limit/default").asInt())
                .isEqualTo(EntityRoutes.LIMIT);
        for (String tool : List.of("request_report", "report_status")) {
            assertThat(input(tool).at("/properties/wait/maximum").asInt()).isEqualTo(StatusRoutes.LONGEST_WAIT);
        }
    }

    private static JsonNode input(String name) {
        return TOOLS.stream()
                .filter(tool -> tool.name().equals(name))
                .map(tool -> Json.MAPPER.<JsonNode>valueToTree(tool.inputSchema()))
                .findFirst()
                .orElseThrow();
    }
}
