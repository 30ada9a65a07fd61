package millrace.catalog.text;

import com.fasterxml.jackson.core.ErrorReportConfiguration;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.InputStream;
import millrace.contracts.Json;

/** Reads the JSON of clients token by token, within limits, and says in a sentence what is wrong with it. */
public final class ClientJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(Json.buffers())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(10)
                    .maxStringLength(100_000)
                    .maxNameLength(1_000)
                    .maxNumberLength(100)
                    .build())
            .errorReportConfiguration(
                    ErrorReportConfiguration.builder().maxErrorTokenLength(40).build())
            // Clients choose the names: they share a table that is cleared when it is full, and not the JVM's.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            // The caller closes the stream, and may read the rest of it.
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private ClientJson() {}

    public static JsonParser parser(InputStream json) throws IOException {
        return FACTORY.createParser(json);
    }

    /** What is wrong, without the name of a field: {@code is not valid JSON: …}. */
    public static String fault(IOException failure) {
        String fault = "is not valid JSON: ";
        return switch (failure) {
            case JsonEOFException _ -> fault + "it ends in the middle";
            case JsonProcessingException e -> fault + where(e) + Text.plain(withoutAdvice(e));
            default -> fault + Text.plain(String.valueOf(failure.getMessage()));
        };
    }

    private static String where(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : "line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ": ";
    }

    /** Jackson's message without its hints for programmers. */
    private static String withoutAdvice(JsonProcessingException e) {
        return e.getOriginalMessage().replaceAll(": enable `.*|, from `[^`]*`", "");
    }

    /** The kind of a value: {@code an array}, {@code null}. */
    public static String words(JsonToken token) {
        return switch (token) {
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "an integer";
            case VALUE_NUMBER_FLOAT -> "a number with a fraction or exponent";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL -> "null";
            case START_ARRAY, END_ARRAY -> "an array";
            case START_OBJECT, END_OBJECT, FIELD_NAME -> "an object";
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> "something else";
        };
    }
}
