package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.Optional;
import millrace.client.cli.output.Json;

/**
 * The webhook that the service sends for a change of a report, or for new data, made anew from the feed.
 *
 * @param id {@code webhook-id}: that of the service's own webhook for this change; for new data, of which each
 *     subscription has another one, {@code {dataset}.{sequence}}
 * @param body the exact text that is signed and sent
 */
record WebhookCopy(String id, String body) {
    private static final String OCCURRED_AT = "occurred_at";
    private static final String UPDATED_AT = "updated_at";
    private static final String STATUS = "status";
    /** Of the dialect that some keys get in answers, and in the feed. Webhooks have those of v3. */
    private static final Map<String, String> V3_WORDS =
            Map.of("completed", "complete", "pending", "processing", "retry", "processing");

    /** @param data of an event of the type data_version_available */
    static Optional<WebhookCopy> ofVersion(JsonNode data) {
        JsonNode version = data.path("data");
        String dataset = Json.text(version, "dataset");
        String sequence = Json.text(version, "sequence");
        if (dataset.isEmpty() || sequence.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode body = Json.object().put("event_type", "data_version_available");
        body.set("payload", version);
        return Optional.of(new WebhookCopy(dataset + "." + sequence, body.toString()));
    }

    /** @param data of an event of the type report */
    static Optional<WebhookCopy> of(JsonNode data) {
        JsonNode report = data.path("report");
        String id = Json.text(report, "report_id");
        String sequence = Json.text(report, "sequence");
        if (id.isEmpty() || sequence.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode body = Json.object().put("event_type", "report_status_change");
        ObjectNode payload = body.putObject("payload");
        for (Map.Entry<String, JsonNode> field : report.properties()) {
            payload.set(field.getKey(), field.getKey().equals(STATUS) ? word(field.getValue()) : field.getValue());
            if (field.getKey().equals("sequence")
                    && !report.has(OCCURRED_AT)
                    && (report.has(UPDATED_AT) || data.has(OCCURRED_AT))) {
                // Where the service has it: a change happened when it was made.
                payload.set(OCCURRED_AT, report.has(UPDATED_AT) ? report.path(UPDATED_AT) : data.path(OCCURRED_AT));
            }
        }
        return Optional.of(new WebhookCopy(id + "." + sequence, body.toString()));
    }

    private static JsonNode word(JsonNode status) {
        String v3 = V3_WORDS.get(status.asText());
        return v3 == null ? status : TextNode.valueOf(v3);
    }
}
