package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.Json;

/**
 * The calls of an OpenAPI document as a page in Markdown: for each its parameters, its body with a sample for curl, and its
 * answers; then the fields of all named schemas. It knows what our two documents use of OpenAPI.
 */
final class CallReference {
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");
    private static final String FIELDS_HEAD = "\n| field | type | meaning |\n|---|---|---|\n";
    /** Objects within objects are shown down to this depth; the named schemas of ours are flat. */
    private static final int DEEPEST = 4;

    private final JsonNode document;
    private final StringBuilder page = new StringBuilder();

    private record Call(String method, String path, JsonNode item) {
        JsonNode operation() {
            return item.path(method);
        }

        String heading() {
            return method.toUpperCase(Locale.ROOT) + " " + path;
        }
    }

    private CallReference(JsonNode document) {
        this.document = document;
    }

    /** @param openApi an OpenAPI 3.1 document as JSON */
    static String markdown(byte[] openApi) {
        try {
            return new CallReference(Json.MAPPER.readTree(openApi)).page();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String page() {
        page.append("# " + Guide.ALL_CALLS + "\n\n").append(text(document.path("info"), "description"));
        page.append("\n\n[openapi.yaml](/openapi.yaml) and [openapi.json](/openapi.json) say the same to programs.\n");
        for (JsonNode tag : document.path("tags")) {
            String name = text(tag, "name");
            page.append("\n## ").append(capitalised(name)).append("\n\n").append(text(tag, "description"));
            List<Call> calls = calls(name);
            page.append("\n\n| call | what it does |\n|---|---|\n");
            calls.forEach(call -> cells(
                    "[" + call.heading() + "](#" + DocumentSite.id(call.heading()) + ")",
                    text(call.operation(), "summary")));
            calls.forEach(this::call);
        }
        page.append("\n## Fields\n");
        document.at("/components/schemas").properties().forEach(schema -> {
            page.append("\n### ").append(schema.getKey()).append("\n\n");
            body(schema.getValue());
        });
        return page.toString();
    }

    private List<Call> calls(String tag) {
        return document.path("paths").properties().stream()
                .flatMap(path -> METHODS.stream().map(method -> new Call(method, path.getKey(), path.getValue())))
                .filter(call -> call.operation().at("/tags/0").asText().equals(tag))
                .toList();
    }

    private void call(Call described) {
        JsonNode call = described.operation();
        page.append("\n### ").append(described.heading()).append("\n\n");
        page.append((sentence(text(call, "summary")) + " " + text(call, "description")).strip());
        page.append("\n\n").append(access(call)).append('\n');
        List<JsonNode> parameters = Stream.of(described.item(), call)
                .flatMap(part -> elements(part.path("parameters")).stream())
                .toList();
        if (!parameters.isEmpty()) {
            page.append("\n| parameter | type | meaning |\n|---|---|---|\n");
            parameters.forEach(p -> row(
                    "`" + text(p, "name") + "` (" + text(p, "in") + ")",
                    p.path("schema"),
                    p.path("required").asBoolean(),
                    text(p, "description")));
        }
        JsonNode request = resolved(call.path("requestBody"));
        JsonNode body = request.path("content").properties().stream()
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse(request);
        if (!request.isMissingNode()) {
            page.append("\nBody: ").append(contentTypes(request)).append(".\n\n");
            body(body.path("schema"));
        }
        sample(described, parameters, body.path("example"));
        page.append("\n| answer | body | meaning |\n|---|---|---|\n");
        call.path("responses")
                .properties()
                .forEach(response -> answer(response.getKey(), resolved(response.getValue())));
        call.path("responses").properties().forEach(response -> json(resolved(response.getValue()))
                .filter(schema -> schema.has("properties"))
                .forEach(schema -> {
                    page.append("\nFields of the answer ")
                            .append(response.getKey())
                            .append(":\n\n");
                    body(schema);
                }));
    }

    /** What the caller needs. */
    private String access(JsonNode call) {
        JsonNode security = security(call);
        if (security.isEmpty()) {
            return "Needs no key.";
        }
        String scopes = security.valueStream()
                .flatMap(needed -> needed.properties().stream())
                .flatMap(key -> key.getValue().valueStream())
                .map(scope -> "`" + scope.asText() + "`")
                .distinct()
                .collect(Collectors.joining(" and "));
        return scopes.isEmpty() ? "Needs a key." : "Needs a key with the scope " + scopes + ".";
    }

    private JsonNode security(JsonNode call) {
        return call.has("security") ? call.path("security") : document.path("security");
    }

    private void sample(Call call, List<JsonNode> parameters, JsonNode example) {
        String query = parameters.stream()
                .filter(p -> text(p, "in").equals("query") && p.path("required").asBoolean())
                .map(p -> text(p, "name") + "={" + text(p, "name") + "}")
                .collect(Collectors.joining("&", "?", ""));
        page.append("\n```\ncurl -s ")
                .append(call.method().equals("get") ? "" : "-X " + call.method().toUpperCase(Locale.ROOT) + " ")
                .append("'https://reports.example.com")
                .append(call.path())
                .append(query.equals("?") ? "" : query)
                .append('\'');
        if (!security(call.operation()).isEmpty()) {
            page.append(" \\\n  -H '").append(keyHeader()).append(": 0123456789abcdef0123456789abcdef'");
        }
        if (!example.isMissingNode()) {
            page.append(" \\\n  -H 'content-type: application/json' -d '")
                    .append(example.toPrettyString().replace("'", "'\\''"))
                    .append('\'');
        }
        page.append("\n```\n");
    }

    private String keyHeader() {
        return text(document.at("/components/securitySchemes").iterator().next(), "name");
    }

    private void answer(String status, JsonNode response) {
        String headers = response.path("headers").properties().stream()
                .map(header -> "`" + header.getKey() + "`")
                .collect(Collectors.joining(", "));
        String body = json(response).map(this::type).findFirst().orElse(contentTypes(response));
        cells(status, body, text(response, "description") + (headers.isEmpty() ? "" : " Headers: " + headers + "."));
    }

    /** The schema of the JSON in a response, if there is one. */
    private static Stream<JsonNode> json(JsonNode response) {
        return response.path("content").properties().stream()
                .filter(content -> content.getKey().endsWith("json"))
                .map(content -> content.getValue().path("schema"))
                .limit(1);
    }

    private static String contentTypes(JsonNode content) {
        return content.path("content").properties().stream()
                .map(type -> "`" + type.getKey() + "`")
                .collect(Collectors.joining(" or "));
    }

    /** The fields of a schema, or what it is if it has none. */
    private void body(JsonNode schema) {
        String description = text(schema, "description");
        if (!description.isEmpty()) {
            page.append(sentence(description)).append('\n');
        }
        int before = page.length();
        page.append(FIELDS_HEAD);
        int head = page.length();
        fields("", schema, 0);
        if (page.length() == head) {
            page.setLength(before);
            page.append("\nType: ").append(type(schema)).append(".\n");
        }
    }

    private void fields(String prefix, JsonNode schema, int depth) {
        for (JsonNode part : elements(schema.path("allOf"))) {
            fields(prefix, part, depth);
        }
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").properties().forEach(field -> {
            JsonNode inner = field.getValue();
            String name = prefix + field.getKey();
            row("`" + name + "`", inner, required.contains(field.getKey()), text(inner, "description"));
            if (depth < DEEPEST) {
                fields(name + ".", inner, depth + 1);
                fields(name + "[].", inner.path("items"), depth + 1);
                fields(name + ".{name}.", inner.path("additionalProperties"), depth + 1);
            }
        });
    }

    private void row(String name, JsonNode schema, boolean required, String meaning) {
        JsonNode usual = schema.path("default");
        String end = usual.isMissingNode() || usual.isNull() ? "" : " Default: `" + usual.asText() + "`.";
        cells(name, type(schema) + (required ? ", required" : ""), sentence(meaning) + end);
    }

    private String type(JsonNode schema) {
        if (schema.has("$ref")) {
            String name = name(schema);
            return "[" + name + "](#" + DocumentSite.id(name) + ")";
        }
        for (String choice : List.of("anyOf", "oneOf", "allOf")) {
            if (schema.has(choice)) {
                return schema.path(choice)
                        .valueStream()
                        .map(this::type)
                        .distinct()
                        .collect(Collectors.joining(choice.equals("allOf") ? " and " : " or "));
            }
        }
        if (schema.has("const")) {
            return "`" + schema.path("const").asText() + "`";
        }
        if (schema.has("enum")) {
            return schema.path("enum")
                    .valueStream()
                    .map(word -> "`" + word.asText() + "`")
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        JsonNode type = schema.path("type");
        String word = type.isArray()
                ? type.valueStream().map(JsonNode::asText).collect(Collectors.joining(" or "))
                : type.asText();
        if (schema.has("items")) {
            word = word.replace("array", "array of " + type(schema.path("items")));
        } else if (schema.path("additionalProperties").isObject()) {
            word = word.replace("object", "object of " + type(schema.path("additionalProperties")));
        } else if (schema.has("format")) {
            word += " (" + text(schema, "format") + ")";
        }
        return word.isEmpty() ? "any" : word + bounds(schema);
    }

    /** How large a value may be, as {@code (1 to 253 characters)}; empty if nothing says it. */
    private static String bounds(JsonNode schema) {
        return Stream.of(
                        bounds(schema, "imum", ""),
                        bounds(schema, "Length", " characters"),
                        bounds(schema, "Items", " elements"))
                .filter(words -> !words.isEmpty())
                .map(words -> " (" + words + ")")
                .collect(Collectors.joining());
    }

    private static String bounds(JsonNode schema, String kind, String unit) {
        JsonNode least = schema.path("min" + kind);
        JsonNode most = schema.path("max" + kind);
        if (most.isMissingNode()) {
            // That a text or a list is not empty goes without saying.
            return least.isMissingNode() || !unit.isEmpty() ? "" : "at least " + least.asText();
        }
        return (least.isMissingNode() ? "at most " : least.asText() + " to ") + most.asText() + unit;
    }

    private void cells(String... cells) {
        page.append("| ")
                .append(Stream.of(cells)
                        .map(cell -> cell.strip().replace("|", "\\|").replaceAll("\\s+", " "))
                        .collect(Collectors.joining(" | ")))
                .append(" |\n");
    }

    private List<JsonNode> elements(JsonNode array) {
        return array.valueStream().map(this::resolved).toList();
    }

    /** What a reference leads to. */
    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(text(node, "$ref").substring(1)) : node;
    }

    private static String name(JsonNode reference) {
        String path = text(reference, "$ref");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText().strip();
    }

    private static String capitalised(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private static String sentence(String words) {
        return words.isEmpty() || words.endsWith(".") ? words : words + ".";
    }
}
