package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import millrace.gateway.problems.ProblemCode;

/**
 * The responses that every operation can give, for example to a malformed or oversized message.
 *
 * @param ofAll names of the responses of every operation, by status code
 * @param withBody further ones of operations with a body
 * @param changing further ones of operations other than GET
 */
record CommonResponses(Map<String, String> ofAll, Map<String, String> withBody, Map<String, String> changing) {
    private static final String REQUEST_ID = "X-Request-Id";

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

    /**
     * Adds the responses to each operation that does not name them itself, the id of the request to
     * each operation and response, and the codes of problems.
     */
    void addTo(ObjectNode document) {
        ArrayNode codes = document.withObject("/components/schemas/ProblemCode")
                .put("type", "string")
                .putArray("enum");
        ProblemCode.words().forEach(codes::add);
        document.withObject("/components/parameters/requestId")
                .put("name", REQUEST_ID)
                .put("in", "header")
                .put(
                        "description",
                        "What the answer and the log call this request: 1 to 128 of A-Z a-z 0-9 . _ -; else a new id.")
                .putObject("schema")
                .put("type", "string");
        document.withObject("/components/headers/RequestId")
                .put("description", "The request's, or a new one. The operator finds it in the log.")
                .putObject("schema")
                .put("type", "string")
                .put("pattern", "^[A-Za-z0-9._-]{1,128}$");
        document.at("/components/responses").forEach(CommonResponses::nameRequest);
        for (JsonNode path : document.path("paths")) {
            path.properties().stream()
                    .filter(member -> member.getValue().has("responses"))
                    .forEach(operation -> addTo(operation.getKey(), (ObjectNode) operation.getValue()));
        }
    }

    private static void nameRequest(JsonNode response) {
        if (!response.has("$ref")) {
            ((ObjectNode) response).withObject("/headers/" + REQUEST_ID).put("$ref", "#/components/headers/RequestId");
        }
    }

    private void addTo(String method, ObjectNode operation) {
        operation.withArray("/parameters").addObject().put("$ref", "#/components/parameters/requestId");
        ObjectNode responses = (ObjectNode) operation.path("responses");
        add(responses, ofAll);
        if (operation.has("requestBody")) {
            add(responses, withBody);
        }
        if (!method.equals("get")) {
            add(responses, changing);
        }
        responses.forEach(CommonResponses::nameRequest);
    }

    private static void add(ObjectNode responses, Map<String, String> answers) {
        answers.forEach((code, name) -> {
            if (!responses.has(code)) {
                responses.putObject(code).put("$ref", "#/components/responses/" + name);
            }
        });
    }
}
