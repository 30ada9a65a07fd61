package millrace.gateway.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import millrace.contracts.Json;

/** An OpenAPI document as it is served: what can be asked, and what may be answered. */
public final class ServedApiDocument {
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    private final JsonNode root;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<JsonNode, JsonSchema> schemas = new ConcurrentHashMap<>();

    /** @param parameters those of its path, too */
    public record Operation(String method, String path, JsonNode node, List<JsonNode> parameters) {
        @Override
        public String toString() {
            return method + " " + path;
        }

        boolean matches(String other) {
            String[] wanted = path.split("/", -1);
            String[] given = other.split("/", -1);
            boolean same = wanted.length == given.length;
            for (int i = 0; same && i < wanted.length; i++) {
                same = wanted[i].startsWith("{") ? !given[i].isEmpty() : wanted[i].equals(given[i]);
            }
            return same;
        }
    }

    public ServedApiDocument(String json) throws IOException {
        root = Json.MAPPER.readTree(json);
        for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> member : path.getValue().properties()) {
                if (member.getValue().has("responses")) {
                    List<JsonNode> parameters = new ArrayList<>();
                    path.getValue().path("parameters").forEach(p -> parameters.add(resolved(p)));
                    member.getValue().path("parameters").forEach(p -> parameters.add(resolved(p)));
                    String method = member.getKey().toUpperCase(Locale.ROOT);
                    operations.add(new Operation(method, path.getKey(), member.getValue(), parameters));
                }
            }
        }
    }

    public List<Operation> operations() {
        return operations;
    }

    /** HEAD is answered as GET is. */
    Optional<Operation> at(String method, String path) {
        String documented = method.equals("HEAD") ? "GET" : method;
        return operations.stream()
                .filter(o -> o.method().equals(documented) && o.matches(path))
                .findFirst();
    }

    boolean knows(String path) {
        return operations.stream().anyMatch(o -> o.matches(path));
    }

    /** What a reference refers to. */
    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? resolved(root.at(node.path("$ref").asText().substring(1))) : node;
    }

    /** What of the answer is not as the document says; empty where all is. */
    Optional<String> fault(Operation operation, RawResponse answer, boolean ofHead) {
        JsonNode described = resolved(operation.node().path("responses").path(Integer.toString(answer.status())));
        if (described.isMissingNode()) {
            return Optional.of("the document does not name " + answer.status() + " for " + operation);
        }
        JsonNode content = described.path("content");
        if (answer.body().length == 0) {
            return ofHead || content.isMissingNode() ? Optional.empty() : Optional.of("the answer has no body");
        }
        for (Map.Entry<String, JsonNode> type : content.properties()) {
            if (type.getKey().split(";", 2)[0].equals(answer.mediaType())) {
                return answer.mediaType().endsWith("json") && !answer.isPacked()
                        ? fault(type.getValue().path("schema"), answer)
                        : Optional.empty();
            }
        }
        return Optional.of("the document does not name " + answer.mediaType() + " for " + operation);
    }

    /** As the other one, of an answer that a client has read. */
    public Optional<String> fault(HttpResponse<String> answer) {
        Map<String, String> headers = new HashMap<>();
        answer.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getLast()));
        var raw = new RawResponse(answer.statusCode(), headers, answer.body().getBytes(StandardCharsets.UTF_8));
        String method = answer.request().method();
        String path = answer.uri().getPath();
        return at(method, path)
                .map(operation -> fault(operation, raw, false))
                .orElse(Optional.of("the document does not name " + method + " " + path));
    }

    private Optional<String> fault(JsonNode schema, RawResponse answer) {
        try {
            JsonNode body = Json.MAPPER.readTree(answer.body());
            var messages = schemas.computeIfAbsent(schema, this::compiled).validate(body);
            return messages.isEmpty() ? Optional.empty() : Optional.of("the answer is not of its schema: " + messages);
        } catch (IOException e) {
            return Optional.of("the answer is not JSON: " + e.getMessage());
        }
    }

    private JsonSchema compiled(JsonNode schema) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", root.path("components"));
        return SCHEMAS.getSchema(whole);
    }
}
