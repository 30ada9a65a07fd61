package millrace.gateway.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.OrderTerm;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.text.Text;
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
        schema.putArray("required").add("metrics").add("granularity");
        List<String> entities = new ArrayList<>(List.of(dataset.entity().field()));
        if (dataset.defaultCountry() == null) {
            entities.add("countries");
        }
        ArrayNode all = schema.putArray("allOf");
        ArrayNode somewhere = all.addObject().putArray("anyOf");
        required(somewhere.addObject(), entities);
        ObjectNode inside = somewhere.addObject();
        required(inside, List.of("filters"));
        required(inside.putObject("properties").putObject("filters"), entities);
        ArrayNode dates = all.addObject().putArray("anyOf");
        required(dates.addObject(), List.of("start_date", "end_date"));
        required(dates.addObject(), List.of("latest"));
        ObjectNode fields = schema.putObject("properties");
        filters(fields, dataset);
        ObjectNode filters = Json.MAPPER.createObjectNode();
        filters(filters, dataset);
        fields.putObject("filters")
                .put("type", "object")
                .put(
                        "description",
                        "These fields may also be in here. One that is in both places says the same in both.")
                .set("properties", filters);
        texts(
                fields,
                "metrics",
                dataset.metrics().stream().map(DatasetMetric::name).toList());
        text(fields, "start_date", "YYYY-MM for monthly, else YYYY-MM-DD; inclusive.");
        text(fields, "end_date", "As start_date; inclusive.");
        flag(fields, "latest", "The report ends with the newest period; without a start_date it has only that one.");
        choice(text(fields, "granularity", "Of every metric named."), granularities(dataset));
        whole(fields, "limit", "Most rows of the report.").put("maximum", 1_000_000);
        whole(fields, "offset", "Rows left out before the first one of the report; they are not charged.")
                .put("minimum", 0)
                .put("maximum", 1_000_000_000);
        choice(
                text(fields, "sort", "Rows have one order, which may be named by its column."),
                dataset.rowOrder().stream()
                        .map(OrderTerm::column)
                        .filter(column ->
                                column.equals(dataset.rowOrder().getFirst().column())
                                        || dataset.metric(column).isPresent())
                        .toList());
        flag(fields, "sort_asc", "The direction of this order.");
        whole(fields, "max_credits", "An estimate above it is refused.");
        text(fields, "report_name", "For people; shown with the status.").put("maxLength", 200);
        ArrayNode days = fields.putObject("retention_days")
                .put("type", "integer")
                .put("description", "How long the file can be downloaded; the operator may allow less.")
                .putArray("enum");
        List.of(1, 30, 60, 180, 365).forEach(days::add);
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
        text(fields, "webhook_url", "Told of every change of the status; https where it names no scheme.")
                .put("format", "uri");
        return schema;
    }

    /** Adds the fields that may be in {@code filters}, in each spelling. */
    private static void filters(ObjectNode fields, Dataset dataset) {
        texts(fields, dataset.entity().field(), List.of());
        texts(fields, "countries", List.of()).put("description", "Two letters in any case; WW or world is the world.");
        dataset.filters().forEach(filter -> filter.spellings().forEach(name -> filter(fields, filter, name)));
        if (dataset.hasSubdomains()) {
            RequestFields.SUBDOMAINS_SPELLINGS.forEach(
                    name -> flag(fields, name, "Figures of each domain with its subdomains.")
                            .put("default", false));
        }
    }

    private static void required(ObjectNode schema, List<String> names) {
        ArrayNode required = schema.putArray("required");
        names.forEach(required::add);
    }

    private static ObjectNode flag(ObjectNode fields, String name, String description) {
        return fields.putObject(name).put("type", "boolean").put("description", description);
    }

    private static List<String> granularities(Dataset dataset) {
        return dataset.granularities().stream().map(Granularity::word).toList();
    }

    private static void filter(ObjectNode fields, DatasetFilter filter, String name) {
        switch (filter.kind()) {
            // Any case is accepted; this names the two that clients write.
            case CHOICE, KEYWORD ->
                texts(
                        fields,
                        name,
                        filter.values().stream()
                                .flatMap(value -> Stream.of(value, Text.lower(value)))
                                .distinct()
                                .toList());
            case INTEGER ->
                fields.putObject(name).put("type", "array").putObject("items").put("type", "integer");
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
