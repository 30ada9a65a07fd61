package millrace.contracts;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Writes canonical JSON (RFC 8785), so that whoever has the same values has the same bytes. Numbers must be whole, from
 * -(2^53-1) to 2^53-1: others are written in another form than the RFC's.
 */
public final class CanonicalJson {
    private static final JsonMapper MAPPER = Json.strict(JsonMapper.builder(JsonFactory.builder()
                    .recyclerPool(Json.buffers())
                    .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .build()))
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private CanonicalJson() {}

    /** @param value a tree, or a map of texts, whole numbers, lists and maps */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + value.getClass(), e);
        }
    }
}
