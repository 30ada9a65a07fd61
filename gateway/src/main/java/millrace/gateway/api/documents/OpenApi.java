package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.accounts.KeyScope;

/**
 * Builds the OpenAPI documents. Every dataset of the catalog has its own two operations, schema and
 * example.
 */
public final class OpenApi {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String REQUEST_SCHEMA = "Request_";

    private OpenApi() {}

    /**
     * The public API with made-up examples.
     *
     * @param today decides the dates of the examples
     */
    public static ObjectNode document(Catalog catalog, LocalDate today) {
        return document(catalog, dataset -> ExampleRequest.of(dataset, today));
    }

    /** @param examples a request for each dataset */
    static ObjectNode document(Catalog catalog, Function<Dataset, ObjectNode> examples) {
        ObjectNode document = (ObjectNode) resource("operations.yaml");
        ObjectNode paths = YAML.createObjectNode();
        ObjectNode schemas = (ObjectNode) document.path("components").path("schemas");
        for (Dataset dataset : catalog.datasets()) {
            schemas.set(REQUEST_SCHEMA + dataset.name(), RequestSchema.of(dataset));
            ObjectNode body = requestBody(reference(REQUEST_SCHEMA + dataset.name()), examples.apply(dataset));
            String path = "/v3/batch/" + dataset.name();
            paths.set(
                    path + "/request-report",
                    post(report(dataset.name(), "Ask for a report: " + dataset.description()), body));
            paths.set(
                    path + "/request-validate",
                    post(validation(dataset.name(), "What such a report would cost at most. Free."), body));
        }
        Dataset first = catalog.datasets().iterator().next();
        ObjectNode flat = examples.apply(first);
        String ofMetrics = " The metrics say which dataset is meant.";
        addBoth(paths, "/v3/batch", "ofMetrics", ofMetrics, requestBody(ofEach(catalog), flat));
        schemas.set("NestedRequest", NestedRequest.schema(catalog));
        ObjectNode nested = requestBody(reference("NestedRequest"), NestedRequest.example(first, flat));
        for (String version : List.of("v4", "v5")) {
            String words = " In the body of " + version + " of the original API, and in its words for the status.";
            addBoth(paths, "/batch/" + version, version, words, nested);
        }
        ((ObjectNode) document.path("paths")).properties().forEach(p -> paths.set(p.getKey(), p.getValue()));
        document.set("paths", paths);
        ArrayNode names = document.withObject("/components/parameters/datasetFilter/schema")
                .putArray("enum");
        catalog.names().forEach(names::add);
        CommonResponses.PUBLIC.addTo(document);
        return document;
    }

    /** The admin API, which does not depend on the catalog. */
    public static ObjectNode adminDocument() {
        ObjectNode document = (ObjectNode) resource("admin.yaml");
        CommonResponses.ADMIN.addTo(document);
        return document;
    }

    public static byte[] yaml(ObjectNode document) {
        try {
            return YAML.writeValueAsBytes(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the operations that ask for a report and validate the request. */
    private static void addBoth(ObjectNode paths, String path, String id, String words, ObjectNode body) {
        paths.set(path + "/request-report", post(report(id, "Ask for a report." + words), body));
        paths.set(
                path + "/request-validate",
                post(validation(id, "What such a report would cost at most. Free." + words), body));
    }

    private static ObjectNode post(ObjectNode operation, ObjectNode body) {
        ObjectNode path = YAML.createObjectNode();
        path.set("post", operation.set("requestBody", body));
        return path;
    }

    private static ObjectNode report(String id, String summary) {
        ObjectNode operation = operation("requestReport_" + id, summary, KeyScope.REQUEST);
        operation.putArray("parameters").addObject().put("$ref", "#/components/parameters/idempotencyKey");
        responses(operation, "200", "Ticket", "400", "Invalid", "402", "NoCredits", "409", "Conflict");
        return operation;
    }

    private static ObjectNode validation(String id, String summary) {
        ObjectNode operation = operation("requestValidate_" + id, summary, KeyScope.READ);
        responses(operation);
        operation
                .withObject("/responses/200")
                .put("description", "The estimate, or what is wrong.")
                .withObject("/content/application~1json/schema")
                .put("$ref", "#/components/schemas/Validation");
        return operation;
    }

    private static ObjectNode operation(String id, String summary, KeyScope scope) {
        ObjectNode operation = YAML.createObjectNode().put("operationId", id).put("summary", summary);
        operation.putArray("security").addObject().putArray("batchKey").add(scope.word());
        operation.putArray("tags").add("reports");
        return operation;
    }

    /**
     * @param more pairs of status code and response name, besides those of every route with a key
     */
    private static void responses(ObjectNode operation, String... more) {
        ObjectNode responses = operation.withObject("/responses");
        for (int i = 0; i < more.length; i += 2) {
            response(responses, more[i], more[i + 1]);
        }
        response(responses, "401", "Unauthorized");
        response(responses, "403", "Suspended");
        response(responses, "429", "TooMany");
        response(responses, "503", "Unavailable");
    }

    private static void response(ObjectNode responses, String code, String name) {
        responses.putObject(code).put("$ref", "#/components/responses/" + name);
    }

    private static ObjectNode reference(String schema) {
        return YAML.createObjectNode().put("$ref", "#/components/schemas/" + schema);
    }

    private static ObjectNode ofEach(Catalog catalog) {
        ObjectNode schema = YAML.createObjectNode();
        ArrayNode choices = schema.putArray("oneOf");
        catalog.names().forEach(name -> choices.add(reference(REQUEST_SCHEMA + name)));
        return schema;
    }

    private static ObjectNode requestBody(ObjectNode schema, ObjectNode example) {
        ObjectNode body = YAML.createObjectNode().put("required", true);
        ObjectNode json = body.withObject("/content/application~1json");
        json.set("schema", schema);
        json.set("example", example);
        ObjectNode form =
                body.withObject("/content/multipart~1form-data/schema").put("type", "object");
        form.put("additionalProperties", false).putArray("required").add("request");
        form.withObject("/properties").set("request", schema);
        body.withObject("/content/multipart~1form-data/encoding/request").put("contentType", "application/json");
        return body;
    }

    private static JsonNode resource(String name) {
        try {
            return YAML.readTree(Resources.bytes(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
