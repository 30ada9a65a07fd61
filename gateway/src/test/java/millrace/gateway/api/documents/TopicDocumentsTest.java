package millrace.gateway.api.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicDocumentsTest {
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    private final TopicDocuments documents = new TopicDocuments();

    @Test
    void theDocumentNeedsNoOtherFile() throws IOException {
        JsonNode document = new YAMLMapper().readTree(documents.asyncapi());
        assertThat(document.findValuesAsText("$ref"))
                .hasSizeGreaterThan(15)
                .allSatisfy(reference -> assertThat(reference).startsWith("#/"))
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
        assertThat(document.findValues("$id")).isEmpty();
    }

    /** As with the schemas that it was made from: the examples fit, and do not when they are spoiled at any depth. */
    @Test
    void theSchemasInItSayWhatTheFilesSay() throws IOException {
        JsonNode messages = new YAMLMapper()
                .readTree(documents.asyncapi())
                .path("components")
                .path("messages");
        List<String> checked = new ArrayList<>();
        for (JsonNode message : messages) {
            JsonSchema schema = SCHEMAS.getSchema(message.path("payload"));
            for (JsonNode example : message.path("examples")) {
                JsonNode payload = example.path("payload");
                assertThat(schema.validate(payload)).as("%s", payload).isEmpty();
                ObjectNode spoiled = payload.deepCopy();
                spoiled.findParents("report_id").forEach(parent -> ((ObjectNode) parent).put("report_id", 1));
                spoiled.put(spoiled.has("account_id") ? "account_id" : "dataset", 1);
                assertThat(schema.validate(spoiled)).as("%s", spoiled).isNotEmpty();
                checked.add(message.path("name").asText());
            }
        }
        assertThat(checked)
                .contains("reportEvent", "reportStatusChanged", "ledgerEntry", "accountChanged")
                .contains("webhookAttempt", "webhookDeadLetter", "dataVersionAvailable");
    }

    @Test
    void servesTheSchemasOfPublicTopics() {
        assertThat(TopicDocuments.schemas()).hasSize(7).allSatisfy(file -> assertThat(documents.schema(file))
                .isPresent());
        assertThat(documents.schema("internal.accounts.v1.json")).isEmpty();
        assertThat(documents.schema("../logback.xml")).isEmpty();
    }
}
