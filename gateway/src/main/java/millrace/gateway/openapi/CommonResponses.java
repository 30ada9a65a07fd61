package millrace.gateway.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The responses that every operation can give, for example to a malformed or oversized message.
 *
 * @param ofAll names of the responses of every operation, by status code
 * @param withBody further ones of operations with a body
 * @param changing further ones of operations other than GET
 */
record CommonResponses(Map<String, String> ofAll, Map<String, String> withBody, Map<String, String> changing) {
    static final CommonResponses PUBLIC = new CommonResponses(
            Map.of(
                    "400", "Invalid",
                    "403", "Forbidden",
                    "404", "NotFound",
                    "405", "OtherMethod",
                    "414", "LongUri",
                    "431", "LargeHeaders"),
            Map.of("415", "NotJson"),
            Map.of("413", "TooLarge"));
    static final CommonResponses ADMIN = new CommonResponses(
            Map.of(
                    "400", "Invalid",
                    "401", "Unauthorized",
                    "404", "NotFound",
                    "405", "OtherMethod",
                    "413", "TooLarge",
                    "414", "LongUri",
                    "431", "LargeHeaders",
                    "503", "Unavailable"),
            Map.of(),
            Map.of("409", "Conflict"));

    /** Adds the responses to each operation that does not name them itself. */
    void addTo(ObjectNode document) {
        for (JsonNode path : document.path("paths")) {
            path.properties().stream()
                    .filter(member -> member.getValue().has("responses"))
                    .forEach(operation -> addTo(operation.getKey(), operation.getValue()));
        }
    }

    private void addTo(String method, JsonNode operation) {
        ObjectNode responses = (ObjectNode) operation.path("responses");
        add(responses, ofAll);
        if (operation.has("requestBody")) {
            add(responses, withBody);
        }
        if (!method.equals("get")) {
            add(responses, changing);
        }
    }

    private static void add(ObjectNode responses, Map<String, String> answers) {
        answers.forEach((code, name) -> {
            if (!responses.has(code)) {
                responses.putObject(code).put("$ref", "#/components/responses/" + name);
            }
        });
    }
}
