package millrace.contracts.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.contracts.Json;
import millrace.contracts.topics.Topic;

/**
 * A public topic as a table of Trino's Kafka connector, made from the topic's schema. A column is a field that is not an
 * object of known fields: {@code result.file.size} is {@code result_file_size}. Lists and maps are JSON text, since the
 * connector's JSON decoder knows no other type for them.
 *
 * @param columns by their names, in the order of the schema
 */
record TrinoTable(String topic, Map<String, Column> columns) {

    /**
     * @param dataFormat of a date or time, else empty
     * @param mapping the path of the field, with slashes
     */
    record Column(String type, String dataFormat, String mapping, String comment) {}

    static TrinoTable of(Topic<?> topic) {
        var table = new TrinoTable(topic.name(), new LinkedHashMap<>());
        JsonNode root = TopicSchemas.read(TopicSchemas.fileName(topic));
        table.add(root, root, "", "");
        return table;
    }

    /** In SQL, names with a dash need quotes. */
    String name() {
        return topic.replace('-', '_');
    }

    /** The table description file, with a line for each column. */
    String file() {
        return columns.entrySet().stream()
                .map(column -> "      " + line(column.getKey(), column.getValue()))
                .collect(Collectors.joining(",\n", """
                        {
                          "tableName": "%s",
                          "topicName": "%s",
                          "message": {
                            "dataFormat": "json",
                            "fields": [
                        """.formatted(name(), topic), """

                            ]
                          }
                        }
                        """));
    }

    private static String line(String name, Column column) {
        Map<String, String> field = new LinkedHashMap<>();
        field.put("name", name);
        field.put("type", column.type());
        if (!column.dataFormat().isEmpty()) {
            field.put("dataFormat", column.dataFormat());
        }
        field.put("mapping", column.mapping());
        field.put("comment", column.comment());
        return Json.text(field);
    }

    private void add(JsonNode root, JsonNode schema, String path, String name) {
        String reference = schema.path("$ref").asText();
        if (reference.startsWith("#")) {
            add(root, root.at(reference.substring(1)), path, name);
        } else if (!reference.isEmpty()) {
            JsonNode other = TopicSchemas.read(reference);
            add(other, other, path, name);
        } else if (schema.has("properties")) {
            schema.path("properties")
                    .properties()
                    .forEach(field -> add(
                            root,
                            field.getValue(),
                            path.isEmpty() ? field.getKey() : path + "/" + field.getKey(),
                            name(name, field.getKey())));
        } else if (columns.put(name, column(schema, path)) != null) {
            throw new IllegalStateException("two fields of " + topic + " would be the column " + name);
        }
    }

    /** {@code report.dataset} is {@code report_dataset}, and {@code report.report_id} is {@code report_id}. */
    private static String name(String outer, String field) {
        return outer.isEmpty() || field.startsWith(outer + "_") ? field : outer + "_" + field;
    }

    private static Column column(JsonNode schema, String path) {
        String type = schema.path("type").asText();
        String comment = schema.path("description").asText();
        return switch (type) {
            case "integer" -> new Column("BIGINT", "", path, comment);
            case "number" -> new Column("DOUBLE", "", path, comment);
            case "boolean" -> new Column("BOOLEAN", "", path, comment);
            case "array", "object" -> new Column("VARCHAR", "", path, "JSON. " + comment);
            case "string" ->
                switch (schema.path("format").asText()) {
                    case "date-time" -> new Column("TIMESTAMP(3) WITH TIME ZONE", "iso8601", path, comment);
                    case "date" -> new Column("DATE", "iso8601", path, comment);
                    default -> new Column("VARCHAR", "", path, comment);
                };
            default -> throw new IllegalStateException(path + " has no type that Trino knows: " + schema);
        };
    }
}
