package millrace.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The schemas say what the records say, and accept and refuse what reading accepts and refuses. */
class SchemasTest {
    static final List<Sample<?>> OPEN = Samples.open();

    @ParameterizedTest
    @MethodSource("publicTopics")
    void theSchemaIsASchema(Topic<?> topic) {
        assertThat(Schemas.checkSchema(Schemas.read(Schemas.fileName(topic)))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void theSchemaDescribesTheRecord(Topic<?> topic) {
        assertThat(SchemaShape.differences(Schemas.fileName(topic), topic.type()))
                .as("schemas/%s and %s", Schemas.fileName(topic), topic.type().getSimpleName())
                .isEmpty();
    }

    @ParameterizedTest
    @FieldSource("OPEN")
    void acceptsEverySample(Sample<?> sample) throws IOException {
        assertThat(Schemas.check(sample.topic(), Json.MAPPER.readTree(sample.bytes())))
                .isEmpty();
    }

    /** As a validator reads it that has one file and no network. */
    @ParameterizedTest
    @FieldSource("OPEN")
    void oneFileIsEnough(Sample<?> sample) throws IOException {
        JsonNode schema = Schemas.read(Schemas.fileName(sample.topic()));
        assertThat(Schemas.check(schema, Json.MAPPER.readTree(sample.bytes()))).isEmpty();
        ObjectNode other = (ObjectNode) Json.MAPPER.readTree(sample.bytes());
        other.findParents("report_id").forEach(parent -> ((ObjectNode) parent).put("report_id", 1));
        other.put("account_id", 1);
        assertThat(Schemas.check(schema, other)).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("publicTopics")
    void theSchemaHasAnAddressAndCopiesAreCurrent(Topic<?> topic) {
        JsonNode schema = Schemas.read(Schemas.fileName(topic));
        String address = "https://millrace.example/schemas/";
        assertThat(schema.path("$id").asText()).isEqualTo(address + Schemas.fileName(topic));
        for (JsonNode part : schema.path("$defs")) {
            String id = part.path("$id").asText();
            if (id.startsWith(address)) {
                assertThat(part)
                        .as("the copy in %s of %s", Schemas.fileName(topic), id)
                        .isEqualTo(Schemas.read(id.substring(address.length())));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("OPEN")
    void acceptsFieldsThatItDoesNotKnow(Sample<?> sample) throws IOException {
        JsonNode message = Json.MAPPER.readTree(sample.bytes());
        for (JsonNode object : message.findParents("report_id")) {
            ((ObjectNode) object).put("added_later", 1);
        }
        assertThat(Schemas.check(sample.topic(), ((ObjectNode) message).put("added_later", 1)))
                .isEmpty();
    }

    /** Every field of every sample in turn: left out, null, of another type, another word. */
    @ParameterizedTest
    @FieldSource("OPEN")
    void refusesWhatReadingRefuses(Sample<?> sample) throws IOException {
        List<Spoilt> spoilt = Spoilt.waysOf(Json.MAPPER.readTree(sample.bytes()));
        assertThat(spoilt).hasSizeGreaterThan(20);
        assertThat(spoilt)
                .filteredOn(way -> !readable(sample.topic(), way.message()))
                .allSatisfy(way -> assertThat(Schemas.check(sample.topic(), way.message()))
                        .as(way.what())
                        .isNotEmpty());
        assertThat(spoilt).filteredOn(way -> way.what().endsWith(" is null")).allSatisfy(way -> assertThat(
                        Schemas.check(sample.topic(), way.message()))
                .as(way.what())
                .isNotEmpty());
    }

    @Test
    void refusesAResultBeforeTheEnd() {
        Sample<?> complete = Samples.of(Topics.REPORT_STATUS, "complete");
        ObjectNode message = (ObjectNode) tree(complete).deepCopy();
        message.put("status", "processing");
        assertThat(Schemas.check(Topics.REPORT_STATUS, message)).hasSize(2);
    }

    @Test
    void refusesAReservationForNoReport() {
        ObjectNode message = (ObjectNode) tree(Samples.of(Topics.CREDIT_LEDGER, "reservation"));
        message.remove("report_id");
        assertThat(Schemas.check(Topics.CREDIT_LEDGER, message)).hasSize(1);
    }

    private static boolean readable(Topic<?> topic, JsonNode message) {
        try {
            topic.decode(message.toString().getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (SerializationException e) {
            return false;
        }
    }

    private static JsonNode tree(Sample<?> sample) {
        return Json.MAPPER.valueToTree(sample.value());
    }

    static List<Topic<?>> publicTopics() {
        return Topics.ALL.stream()
                .filter(topic -> topic.audience() == Topic.Audience.PUBLIC)
                .toList();
    }
}
