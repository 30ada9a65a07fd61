package millrace.gateway.api.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.contracts.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallReferenceTest {
    private static final JsonNode PUBLIC = OpenApi.document(Catalog.builtIn(), LocalDate.parse("2026-11-28"));

    static List<JsonNode> documents() {
        return List.of(PUBLIC, OpenApi.adminDocument());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyCallAndEverySchemaIsThereOnce(JsonNode document) {
        List<String> expected = new ArrayList<>();
        document.path("paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(call -> call.getValue().has("responses"))
                .forEach(call -> expected.add(call.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey())));
        document.at("/components/schemas").fieldNames().forEachRemaining(expected::add);
        assertThat(found("(?m)^### (.*)$", CallReference.markdown(Json.bytes(document)))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void typesLeadToTheirFields(JsonNode document) {
        String page = CallReference.markdown(Json.bytes(document));
        List<String> parts = found("(?m)^##+ (.*)$", page).map(DocumentSite::id).toList();
        assertThat(parts).doesNotHaveDuplicates();
        assertThat(found("\\]\\(#([^)]*)\\)", page)).isNotEmpty().isSubsetOf(parts);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyTypeIsSaid(JsonNode document) {
        assertThat(CallReference.markdown(Json.bytes(document)))
                .doesNotContainPattern("(?m)^\\| `[^`]*`( \\([a-z]+\\))? \\| +\\|")
                .doesNotContain("[](");
    }

    @Test
    void aCallSaysWhatItTakesAndAnswers() {
        assertThat(CallReference.markdown(Json.bytes(PUBLIC))).contains("""
                ### GET /v3/batch/request-status/{report_id}

                The status of a report, and once it is complete where its file is.

                Needs a key with the scope `read`.

                | parameter | type | meaning |
                |---|---|---|
                | `report_id` (path) | string (uuid), required |""", """
                ```
                curl -s 'https://reports.example.com/v3/batch/request-status/{report_id}' \\
                  -H 'api-key: 0123456789abcdef0123456789abcdef'
                ```

                | answer | body | meaning |
                |---|---|---|
                | 200 | [Status](#status) |""");
    }

    private static Stream<String> found(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1));
    }
}
