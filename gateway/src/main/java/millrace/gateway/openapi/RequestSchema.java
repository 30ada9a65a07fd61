package millrace.gateway.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.contracts.Json;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.Granularity;

/**
 * Builds the JSON Schema of a dataset's request. It covers what a schema can express;
 * request-validate checks the rest.
 */
final class RequestSchema {
    private RequestSchema() {}

    static ObjectNode of(Dataset dataset) {
        ObjectNode schema =
                Json.MAPPER.createObjectNode().put("type", "object").put("description", dataset.description());
        ArrayNode required = schema.putArray("required");
        List.of(dataset.entity().field(), "metrics", "start_date", "end_date", "granularity")
                .forEach(required::add);
        if (dataset.defaultCountry() == null) {
            required.add("countries");
        }
        ObjectNode fields = schema.putObject("properties");
        texts(fields, dataset.entity().field(), List.of());
        texts(fields, "countries", List.of()).put("description", "Two upper-case letters; WW is the world.");
        texts(
                fields,
                "metrics",
                dataset.metrics().stream().map(DatasetMetric::name).toList());
        text(fields, "start_date", "YYYY-MM for monthly, else YYYY-MM-DD; inclusive.");
        text(fields, "end_date", "As start_date; inclusive.");
        choice(text(fields, "granularity", "Of every metric named."), granularities(dataset));
        dataset.filters().forEach(f -> filter(fields, f));
        if (dataset.hasSubdomains()) {
            fields.putObject("subdomains").put("type", "boolean").put("default", false);
        }
        whole(fields, "limit", "Most rows of the report.").put("maximum", 1_000_000);
        whole(fields, "max_credits", "An estimate above it is refused.");
        choice(text(fields, "delivery_method", "How the file is handed over."), List.of("download_link"));
        choice(
                text(fields, "response_format", "How it is written; json is one object per line (JSON Lines)."),
                FileFormat.Form.words());
        choice(
                text(fields, "compression", "The file is compressed as a file; of parquet, the codec within."),
                FileFormat.Compression.words());
        choice(
                text(fields, "csv_safety", "Whether text that a spreadsheet takes for a formula is marked; csv only."),
                List.of("none", "spreadsheet"));
        text(fields, "webhook_url", "Told of every change of the status.").put("format", "uri");
        return schema;
    }

    private static List<String> granularities(Dataset dataset) {
        return dataset.granularities().stream().map(Granularity::word).toList();
    }

    private static void filter(ObjectNode fields, DatasetFilter filter) {
        switch (filter.kind()) {
            case CHOICE, KEYWORD -> texts(fields, filter.field(), filter.values());
            case INTEGER ->
                fields.putObject(filter.field())
                        .put("type", "array")
                        .putObject("items")
                        .put("type", "integer");
        }
    }

    private static ObjectNode texts(ObjectNode fields, String name, List<String> values) {
        ObjectNode field = fields.putObject(name).put("type", "array");
        choice(field.putObject("items").put("type", "string"), values);
        return field;
    }

    private static ObjectNode text(ObjectNode fields, String name, String description) {
        return fields.putObject(name).put("type", "string").put("description", description);
    }

    private static ObjectNode whole(ObjectNode fields, String name, String description) {
        return fields.putObject(name).put("type", "integer").put("minimum", 1).put("description", description);
    }

    private static void choice(ObjectNode field, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode choices = field.putArray("enum");
            values.forEach(choices::add);
        }
    }
}
