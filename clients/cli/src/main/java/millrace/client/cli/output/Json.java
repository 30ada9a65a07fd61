package millrace.client.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * JSON as trees: answers are shown as they come, so that fields that are added later need no new
 * version of this command.
 */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** One value; no text is a missing node. */
    public static JsonNode read(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /** Of maps, lists, texts, numbers, booleans and null. */
    public static JsonNode tree(Object json) {
        return MAPPER.valueToTree(json);
    }

    /** On lines of their own, for people. */
    public static String pretty(JsonNode node) {
        return node.toPrettyString();
    }

    /** The texts of an array. */
    public static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    /** A text of an answer, or "" if it is missing or null. */
    public static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull() ? "" : value.asText();
    }
}
