package millrace.client.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * JSON as trees: answers are shown as they come, so that fields that are added later need no new
 * version of this command.
 */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** RFC 8785, of texts and whole numbers. */
    private static final ObjectMapper CANONICAL = JsonMapper.builder(JsonFactory.builder()
                    .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .build())
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** One value; no text is a missing node. */
    public static JsonNode read(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /** Values that follow each other, separated by white space or not at all. Objects must not have a field twice. */
    public static MappingIterator<JsonNode> values(InputStream in) throws IOException {
        return MAPPER.readerFor(JsonNode.class)
                .with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .readValues(in);
    }

    /** The same bytes for the same values (RFC 8785), as they are signed. Numbers must be whole. */
    public static byte[] canonical(JsonNode node) {
        try {
            return CANONICAL.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
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
