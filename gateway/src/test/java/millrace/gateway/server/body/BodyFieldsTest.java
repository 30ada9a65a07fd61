package millrace.gateway.server.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BodyFieldsTest {
    /** As JSON Schema counts, and so the description of the API: a sign of two chars is one. */
    @Test
    void aTextIsAsLongAsItHasCharacters() {
        String longest = "\ud83d\udc5f".repeat(200);
        BodyFields fields = BodyFields.of(Json.bytes(Map.of("label", longest)));
        assertThat(fields.words("label")).isEqualTo(longest);
        assertThat(fields.errors()).isEmpty();

        BodyFields longer = BodyFields.of(Json.bytes(Map.of("label", longest + "x")));
        assertThat(longer.words("label")).hasSize(401);
        assertThat(longer.errors()).containsExactly("label: must be a text of 1 to 200 characters.");
    }

    /** It says something only if it takes a thing away. */
    @Test
    void whatIsNullIsAsIfItWereNotThere() {
        BodyFields fields = BodyFields.of("{\"label\":null,\"overlap\":null}".getBytes(StandardCharsets.UTF_8));
        assertThat(fields.isNull("label")).isTrue();
        @Nullable String label = fields.optional("label", fields::words);
        assertThat(label).isNull();
        assertThat(fields.duration("overlap", Duration.ofHours(1), Duration.ofDays(1)))
                .isEqualTo(Duration.ofHours(1));
        assertThat(fields.errors()).isEmpty();
        assertThat(fields.words("label")).isEmpty();
        assertThat(fields.errors()).containsExactly("label: is required, a text of 1 to 200 characters.");
    }
}
