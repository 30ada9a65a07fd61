package millrace.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** RFC 8785, sections 3.2.2.2 and 3.2.3. */
class CanonicalJsonTest {
    @Test
    void sortsByTheUnitsOfUtf16() throws IOException {
        String sent =
                "{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet With Dagesh\","
                        + "\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\","
                        + "\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}";
        assertThat(text(Json.MAPPER.readTree(sent)))
                .isEqualTo("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\","
                        + "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @Test
    void escapesWhatItMust() throws IOException {
        assertThat(text(Json.MAPPER.readTree("{\"s\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"}")))
                .isEqualTo("{\"s\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void sortsWhatIsWithin() throws IOException {
        assertThat(text(Json.MAPPER.readTree("{\"b\":[{\"z\":1,\"a\":9007199254740991}],\"a\":null,\"c\":true}")))
                .isEqualTo("{\"a\":null,\"b\":[{\"a\":9007199254740991,\"z\":1}],\"c\":true}");
        assertThat(text(Map.of("b", Map.of("z", 1, "a", 2), "a", "x")))
                .isEqualTo("{\"a\":\"x\",\"b\":{\"a\":2,\"z\":1}}");
    }

    private static String text(Object value) {
        return new String(CanonicalJson.bytes(value), StandardCharsets.UTF_8);
    }
}
