package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.LimitHeaders;

/**
 * The responses that every operation can give, for example to a malformed or oversized message.
 *
 * @param ofAll names of the responses of every operation, by status code
 * @param withBody further ones of operations with a body
 * @param changing further ones of operations other than GET
 * @param headers names of the headers of every response, by what HTTP calls them
 */
record CommonResponses(
        Map<String, String> ofAll,
        Map<String, String> withBody,
        Map<String, String> changing,
        Map<String, String> headers) {
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
            Map.of("413", "TooLarge"),
            Map.of(REQUEST_ID, "RequestId", LimitHeaders.POLICY, "RateLimitPolicy", LimitHeaders.LEFT, "RateLimit"));
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
            Map.of("409", "Conflict"),
            Map.of(REQUEST_ID, "RequestId"));

    /**
     * Adds the responses to each operation that does not name them itself, the id of the request to
     * each operation, the common headers to each response, and the codes of problems.
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
        document.at("/components/responses").forEach(this::addHeaders);
        for (JsonNode path : document.path("paths")) {
            path.properties().stream()
                    .filter(member -> member.getValue().has("responses"))
                    .forEach(operation -> addTo(operation.getKey(), (ObjectNode) operation.getValue()));
        }
    }

    private void addHeaders(JsonNode response) {
        if (!response.has("$ref")) {
            headers.forEach((header, name) -> ((ObjectNode) response)
                    .withObject("/headers/" + header)
                    .put("$ref", "#/components/headers/" + name));
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
        responses.forEach(this::addHeaders);
    }

    private static void add(ObjectNode responses, Map<String, String> answers) {
        answers.forEach((code, name) -> {
            if (!responses.has(code)) {
                responses.putObject(code).put("$ref", "#/components/responses/" + name);
            }
        });
    }
}
