package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.EntityRules;
import millrace.catalog.dataset.OrderTerm;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.report.ReportSplit;
import millrace.catalog.text.Text;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.WebhookUrl;
import millrace.contracts.Json;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;

/**
 * Builds the JSON Schema of a dataset's request. It covers what a schema can express;
 * request-validate checks the rest.
 */
final class RequestSchema {
    private static final String DAY_OF_MONTH = "-(0[1-9]|[12][0-9]|3[01])";
    /** Has something to see, no control character and no U+FFFD. */
    private static final String SHOWN =
            "^[^\\u0000-\\u001f\\u007f-\\u009f\\ufffd]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ufffd][^\\u0000-\\u001f\\u007f-\\u009f\\ufffd]*$";

    private RequestSchema() {}

    static ObjectNode of(Dataset dataset) {
        ObjectNode schema =
                Json.MAPPER.createObjectNode().put("type", "object").put("description", dataset.description());
        List<String> required = List.of("metrics", "granularity");
        required(schema, required);
        List<String> entities = new ArrayList<>(List.of(dataset.entity().field()));
        if (dataset.defaultCountry() == null) {
            entities.add("countries");
        }
        ArrayNode all = schema.putArray("allOf");
        ArrayNode somewhere = all.addObject().putArray("anyOf");
        present(somewhere.addObject(), entities);
        ObjectNode inside = somewhere.addObject();
        required(inside, List.of("filters"));
        present(inside.putObject("properties").putObject("filters").put("type", "object"), entities);
        ArrayNode dates = all.addObject().putArray("anyOf");
        present(dates.addObject(), List.of("start_date", "end_date"));
        for (String flag : List.of("latest", "all_history")) {
            ObjectNode set = dates.addObject();
            required(set, List.of(flag));
            set.putObject("properties").putObject(flag).put("const", true);
        }
        present(dates.addObject(), List.of("window_size"));
        present(all.addObject().putObject("not"), List.of("start_date", "window_size"));
        present(all.addObject().putObject("not"), List.of("split", "num_of_files"));
        for (String other : List.of("start_date", "window_size")) {
            ObjectNode both = all.addObject().putObject("not");
            present(both, List.of(other));
            both.withArray("required").add("all_history");
            both.withObject("/properties").putObject("all_history").put("const", true);
        }
        ObjectNode fields = schema.putObject("properties");
        filters(fields, dataset);
        ObjectNode filters = Json.MAPPER.createObjectNode();
        filters(filters, dataset);
        ObjectNode ofFilters = fields.putObject("filters")
                .put("type", "object")
                .put(
                        "description",
                        "These fields may also be in here. One that is in both places says the same in both.")
                .put("additionalProperties", false);
        ofFilters.set("properties", filters);
        filters.properties().forEach(field -> nullable((ObjectNode) field.getValue()));
        texts(
                        fields,
                        "metrics",
                        dataset.metrics().stream().map(DatasetMetric::name).toList())
                .put("description", "All of them must have the granularity.");
        boolean monthly = dataset.granularities().contains(Granularity.MONTHLY);
        String day = "^[0-9]{4}-(0[1-9]|1[0-2])" + (monthly ? "(" + DAY_OF_MONTH + ")?$" : DAY_OF_MONTH + "$");
        text(fields, "start_date", (monthly ? "YYYY-MM for monthly, else YYYY-MM-DD" : "YYYY-MM-DD") + "; inclusive.")
                .put("pattern", day);
        text(fields, "end_date", "As start_date; inclusive.").put("pattern", day);
        if (monthly && dataset.granularities().size() > 1) {
            ObjectNode others = all.addObject();
            ObjectNode granularity =
                    others.putObject("if").putObject("properties").putObject("granularity");
            granularity.putObject("not").put("const", Granularity.MONTHLY.word());
            ObjectNode days = others.putObject("then").putObject("properties");
            for (String date : List.of("start_date", "end_date")) {
                days.putObject(date).put("pattern", "^.{10}$");
            }
        }
        flag(fields, "latest", "The report ends with the newest period; without a start_date it has only that one.");
        text(
                        fields,
                        "window_size",
                        "In place of start_date: so many days, weeks, months or years up to end_date, or up to the newest"
                                + " period.")
                .put("pattern", "^[1-9][0-9]{0,3}[dwmy]$");
        flag(fields, "all_history", "In place of start_date: all periods that the account can access.");
        choice(text(fields, "granularity", "Of every metric named."), granularities(dataset));
        whole(fields, "limit", 1, RequestLimits.LARGEST_LIMIT, "Most rows of the report.");
        whole(
                fields,
                "offset",
                0,
                RequestLimits.LARGEST_OFFSET,
                "Rows left out before the first one of the report; they are not charged.");
        ObjectNode split = fields.putObject("split")
                .put("type", "object")
                .put(
                        "description",
                        "The report becomes several files of at most max_rows rows, and a manifest; the rows of each name stay"
                                + " together.")
                .put("additionalProperties", false);
        whole(
                split.putObject("properties"),
                "max_rows",
                ReportSplit.LEAST_ROWS,
                ReportSplit.MOST_ROWS,
                "So many that there are at most " + Text.number(ReportQuery.Split.MOST_PARTS)
                        + " files; how many that takes depends on the request.");
        required(split, List.of("max_rows"));
        whole(
                fields,
                "num_of_files",
                1,
                ReportQuery.Split.MOST_PARTS,
                "The same for at most so many files; not with split.");
        List<OrderTerm> order = dataset.rowOrder().stream()
                .filter(term -> term.equals(dataset.rowOrder().getFirst())
                        || dataset.metric(term.column()).isPresent())
                .toList();
        choice(
                text(fields, "sort", "Rows have one order, which may be named by its column."),
                order.stream().map(OrderTerm::column).toList());
        flag(fields, "sort_asc", "The direction of this order.");
        if (order.size() == 1) {
            ((ObjectNode) fields.path("sort_asc"))
                    .put("const", !order.getFirst().descending());
        }
        text(fields, "quote", "The token of request-validate: the report costs at most that, and reads that version.");
        whole(fields, "max_credits", 1, Long.MAX_VALUE, "An estimate above it is refused.");
        text(fields, "report_name", "For people; shown with the status.")
                .put("minLength", 1)
                .put("maxLength", RequestLimits.LONGEST_NAME)
                .put("pattern", SHOWN);
        ObjectNode tags = fields.putObject("tags")
                .put("type", "object")
                .put("description", "The client's words for the report, by name; the history finds reports by them.")
                .put("maxProperties", RequestLimits.MOST_TAGS);
        tags.putObject("propertyNames").put("pattern", "^[a-z0-9_.-]{1,40}$");
        tags.putObject("additionalProperties")
                .put("type", "string")
                .put("minLength", 1)
                .put("maxLength", RequestLimits.LONGEST_NAME)
                .put("pattern", SHOWN);
        ArrayNode days = fields.putObject("retention_days")
                .put("type", "integer")
                .put("description", "How long the file can be downloaded; the operator may allow less.")
                .putArray("enum");
        RequestLimits.RETENTION_DAYS.forEach(days::add);
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
                .put("pattern", "^([Hh][Tt][Tt][Pp][Ss]?://)?[^@\\s\\u0000-\\u001f/?#][^@\\s\\u0000-\\u001f]*$")
                .put("maxLength", WebhookUrl.LONGEST_URL);
        fields.properties().stream()
                .filter(field -> !required.contains(field.getKey()))
                .forEach(field -> nullable((ObjectNode) field.getValue()));
        return schema.put("additionalProperties", false);
    }

    /** Adds the fields that may be in {@code filters}, in each spelling. */
    private static void filters(ObjectNode fields, Dataset dataset) {
        ObjectNode entity =
                names(fields, dataset.entity().field(), dataset.entity().kind());
        entity.put(
                "description",
                "Each is "
                        + switch (dataset.entity().kind()) {
                            case DOMAIN -> EntityRules.HOST_WORDS;
                            case KEYWORD -> EntityRules.KEYWORD_WORDS;
                        }
                        + ".");
        texts(fields, "countries", List.of())
                .put("description", "Two letters in any case; WW or world is the world.")
                .withObject("/items")
                .put("pattern", "^([A-Za-z]{2}|[Ww][Oo][Rr][Ll][Dd])$");
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

    /** Each of them is there, and not null. */
    private static void present(ObjectNode schema, List<String> names) {
        required(schema, names);
        names.forEach(name -> schema.withObject("/properties/" + name + "/not").put("type", "null"));
    }

    /** A field that is null is as if it were not there. */
    private static void nullable(ObjectNode field) {
        String type = field.path("type").asText();
        field.putArray("type").add(type).add("null");
        if (field.path("enum") instanceof ArrayNode choices) {
            choices.addNull();
        }
        JsonNode value = field.remove("const");
        if (value != null) {
            field.putArray("enum").add(value).addNull();
        }
    }

    private static ObjectNode flag(ObjectNode fields, String name, String description) {
        return fields.putObject(name).put("type", "boolean").put("description", description);
    }

    private static List<String> granularities(Dataset dataset) {
        return dataset.granularities().stream().map(Granularity::word).toList();
    }

    private static void filter(ObjectNode fields, DatasetFilter filter, String name) {
        switch (filter.kind()) {
            case KEYWORD -> names(fields, name, EntityField.Kind.KEYWORD);
            // Any case is accepted; this names the two that clients write.
            case CHOICE ->
                texts(
                        fields,
                        name,
                        filter.values().stream()
                                .flatMap(value -> Stream.of(value, Text.lower(value)))
                                .distinct()
                                .toList());
            case INTEGER ->
                fields.putObject(name)
                        .put("type", "array")
                        .put("minItems", 1)
                        .putObject("items")
                        .put("type", "integer")
                        .put("minimum", 0)
                        .put("maximum", Integer.MAX_VALUE);
        }
    }

    /** A list of domains or keywords. */
    private static ObjectNode names(ObjectNode fields, String name, EntityField.Kind kind) {
        ObjectNode field = texts(fields, name, List.of());
        field.withObject("/items")
                .put("maxLength", EntityRules.longest(kind))
                .put("pattern", EntityRules.pattern(kind));
        return field;
    }

    private static ObjectNode texts(ObjectNode fields, String name, List<String> values) {
        ObjectNode field = fields.putObject(name).put("type", "array").put("minItems", 1);
        choice(field.putObject("items").put("type", "string").put("minLength", 1), values);
        return field;
    }

    private static ObjectNode text(ObjectNode fields, String name, String description) {
        return fields.putObject(name).put("type", "string").put("description", description);
    }

    private static void whole(ObjectNode fields, String name, long least, long most, String description) {
        fields.putObject(name)
                .put("type", "integer")
                .put("minimum", least)
                .put("maximum", most)
                .put("description", description);
    }

    private static void choice(ObjectNode field, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode choices = field.putArray("enum");
            values.forEach(choices::add);
        }
    }
}
