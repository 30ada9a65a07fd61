package millrace.contracts.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.contracts.Json;
import millrace.contracts.samples.MessageSample;
import millrace.contracts.samples.MessageSamples;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The schemas say what the records say, and accept and refuse what reading accepts and refuses. */
class TopicSchemasTest {
    static final List<MessageSample<?>> OPEN = MessageSamples.open();

    @ParameterizedTest
    @MethodSource("publicTopics")
    void theSchemaIsASchema(Topic<?> topic) {
        assertThat(TopicSchemas.checkSchema(TopicSchemas.read(TopicSchemas.fileName(topic))))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void theSchemaDescribesTheRecord(Topic<?> topic) {
        assertThat(SchemaShape.differences(TopicSchemas.fileName(topic), topic.type()))
                .as(
                        "schemas/%s and %s",
                        TopicSchemas.fileName(topic), topic.type().getSimpleName())
                .isEmpty();
    }

    @ParameterizedTest
    @FieldSource("OPEN")
    void acceptsEverySample(MessageSample<?> sample) throws IOException {
        assertThat(TopicSchemas.check(sample.topic(), Json.MAPPER.readTree(sample.bytes())))
                .isEmpty();
    }

    /** As a validator reads it that has one file and no network. */
    @ParameterizedTest
    @FieldSource("OPEN")
    void oneFileIsEnough(MessageSample<?> sample) throws IOException {
        JsonNode schema = TopicSchemas.read(TopicSchemas.fileName(sample.topic()));
        assertThat(TopicSchemas.check(schema, Json.MAPPER.readTree(sample.bytes())))
                .isEmpty();
        ObjectNode other = (ObjectNode) Json.MAPPER.readTree(sample.bytes());
        other.findParents("report_id").forEach(parent -> ((ObjectNode) parent).put("report_id", 1));
        other.put("account_id", 1);
        other.put("dataset", 1);
        assertThat(TopicSchemas.check(schema, other)).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void theSchemaHasAnAddressAndCopiesAreCurrent(Topic<?> topic) {
        JsonNode schema = TopicSchemas.read(TopicSchemas.fileName(topic));
        String address = "https://millrace.example/schemas/";
        assertThat(schema.path("$id").asText()).isEqualTo(address + TopicSchemas.fileName(topic));
        for (JsonNode part : schema.path("$defs")) {
            String id = part.path("$id").asText();
            if (id.startsWith(address)) {
                assertThat(part)
                        .as("the copy in %s of %s", TopicSchemas.fileName(topic), id)
                        .isEqualTo(TopicSchemas.read(id.substring(address.length())));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("OPEN")
    void acceptsFieldsThatItDoesNotKnow(MessageSample<?> sample) throws IOException {
        JsonNode message = Json.MAPPER.readTree(sample.bytes());
        for (JsonNode object : message.findParents("report_id")) {
            ((ObjectNode) object).put("added_later", 1);
        }
        assertThat(TopicSchemas.check(sample.topic(), ((ObjectNode) message).put("added_later", 1)))
                .isEmpty();
    }

    /** Every field of every sample in turn: left out, null, of another type, another word. */
    @ParameterizedTest
    @FieldSource("OPEN")
    void refusesWhatReadingRefuses(MessageSample<?> sample) throws IOException {
        List<InvalidMessage> spoilt = InvalidMessage.waysOf(Json.MAPPER.readTree(sample.bytes()));
        assertThat(spoilt).hasSizeGreaterThan(20);
        assertThat(spoilt)
                .filteredOn(way -> !readable(sample.topic(), way.message()))
                .allSatisfy(way -> assertThat(TopicSchemas.check(sample.topic(), way.message()))
                        .as(way.what())
                        .isNotEmpty());
        assertThat(spoilt).filteredOn(way -> way.what().endsWith(" is null")).allSatisfy(way -> assertThat(
                        TopicSchemas.check(sample.topic(), way.message()))
                .as(way.what())
                .isNotEmpty());
    }

    @Test
    void refusesAResultBeforeTheEnd() {
        MessageSample<?> complete = MessageSamples.of(Topics.REPORT_STATUS, "complete");
        ObjectNode message = (ObjectNode) tree(complete).deepCopy();
        message.put("status", "processing");
        assertThat(TopicSchemas.check(Topics.REPORT_STATUS, message)).hasSize(3);
    }

    @Test
    void refusesAReservationForNoReport() {
        ObjectNode message = (ObjectNode) tree(MessageSamples.of(Topics.CREDIT_LEDGER, "reservation"));
        message.remove("report_id");
        assertThat(TopicSchemas.check(Topics.CREDIT_LEDGER, message)).hasSize(1);
    }

    private static boolean readable(Topic<?> topic, JsonNode message) {
        try {
            topic.decode(message.toString().getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (SerializationException e) {
            return false;
        }
    }

    private static JsonNode tree(MessageSample<?> sample) {
        return Json.MAPPER.valueToTree(sample.value());
    }

    static List<Topic<?>> publicTopics() {
        return Topics.ALL.stream()
                .filter(topic -> topic.audience() == Topic.Audience.PUBLIC)
                .toList();
    }
}
