package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.Json;

/** The body of v4 and v5, made from the schemas and examples of v3. */
final class NestedRequest {
    private static final List<String> DELIVERY =
            List.of("delivery_method", "response_format", "compression", "csv_safety", "webhook_url");
    private static final List<String> TABLE = List.of(
            "granularity", "metrics", "start_date", "end_date", "latest", "window_size", "all_history", "filters");
    private static final List<String> PAGING = List.of("limit", "offset", "sort", "sort_asc");

    private NestedRequest() {}

    /** A schema for all datasets: which metrics and filters go with which dataset it does not say. */
    static ObjectNode schema(Catalog catalog) {
        ObjectNode fields = Json.MAPPER.createObjectNode();
        ObjectNode filters = Json.MAPPER.createObjectNode();
        Set<String> metrics = new TreeSet<>();
        Set<String> granularities = new TreeSet<>();
        for (Dataset dataset : catalog.datasets()) {
            ObjectNode ofDataset = (ObjectNode) RequestSchema.of(dataset).path("properties");
            filters.setAll((ObjectNode) ofDataset.path("filters").path("properties"));
            dataset.metrics().forEach(m -> metrics.add(m.name()));
            dataset.granularities().forEach(g -> granularities.add(g.word()));
            fields.setAll(ofDataset);
        }
        fields.putObject("filters")
                .put("type", "object")
                .put("additionalProperties", false)
                .set("properties", filters);
        choice(
                fields.putObject("metrics")
                        .put("type", "array")
                        .put("minItems", 1)
                        .putObject("items"),
                metrics);
        choice(fields.putObject("granularity"), granularities);
        fields.putObject("sort").put("type", "string").put("description", "Rows have one order, which may be named.");

        ObjectNode body = Json.MAPPER.createObjectNode().put("type", "object");
        body.putArray("required").add("report_query");
        ObjectNode top = body.putObject("properties");
        copy(fields, top, List.of("report_name", "tags", "max_credits", "quote"));
        ObjectNode delivery = object(top, "delivery_information");
        copy(fields, delivery, DELIVERY);
        copy(fields, object(delivery, "delivery_method_params"), List.of("retention_days", "num_of_files"));
        ObjectNode query = object(top, "report_query");
        copy(fields, query, List.of("split"));
        ObjectNode tables = query.putObject("tables")
                .put("type", "array")
                .put("minItems", 1)
                .put("maxItems", 1);
        ((ObjectNode) body.at("/properties/report_query")).putArray("required").add("tables");
        ObjectNode table = tables.putObject("items").put("type", "object");
        table.putArray("required")
                .add("vtable")
                .add("granularity")
                .add("filters")
                .add("metrics");
        ObjectNode ofTable = table.putObject("properties");
        choice(ofTable.putObject("vtable").put("description", "The dataset."), catalog.names());
        copy(fields, ofTable, TABLE);
        ObjectNode paging = object(ofTable, "paging");
        copy(fields, paging, PAGING);
        ObjectNode ascending =
                paging.putObject("sort_asc").put("description", "Some clients of the original API send it as a text.");
        ArrayNode forms = ascending.putArray("oneOf");
        forms.addObject().put("type", "boolean");
        choice(forms.addObject(), List.of("false", "true"));
        return body;
    }

    /** An example of v3 as one of v4. */
    static ObjectNode example(Dataset dataset, ObjectNode example) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("report_name", "my report");
        ObjectNode delivery = body.putObject("delivery_information");
        ObjectNode table = body.putObject("report_query").putArray("tables").addObject();
        table.put("vtable", dataset.name());
        ObjectNode filters = Json.MAPPER.createObjectNode();
        example.properties().forEach(field -> {
            String name = field.getKey();
            ObjectNode place = DELIVERY.contains(name) ? delivery : TABLE.contains(name) ? table : filters;
            place.set(name.equals("subdomains") ? "include_subdomains" : name, field.getValue());
        });
        table.set("filters", filters);
        return body;
    }

    private static ObjectNode object(ObjectNode fields, String name) {
        return fields.putObject(name).put("type", "object").putObject("properties");
    }

    private static void copy(ObjectNode from, ObjectNode to, List<String> names) {
        for (String name : names) {
            JsonNode schema = from.path(name);
            to.set(name, schema.deepCopy());
        }
    }

    private static void choice(ObjectNode field, Iterable<String> values) {
        List<String> sorted = new ArrayList<>();
        values.forEach(sorted::add);
        ArrayNode choices = field.put("type", "string").putArray("enum");
        sorted.forEach(choices::add);
    }
}
