package millrace.contracts;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The CloudEvents 1.0 attributes of a record of a public topic, in Kafka's binary mode.
 *
 * @param id stable across redelivery
 * @param type {@code millrace.<topic>.<event>.v1}
 * @param subject the report or the account
 * @param traceparent W3C trace context of the request that caused it
 */
public record CloudEvent(String id, String type, String subject, Instant time, String traceparent) {
    private static final String SOURCE = "/millrace";

    public static CloudEvent of(
            Topic<?> topic, String event, String id, String subject, Instant time, String traceparent) {
        return new CloudEvent(id, "millrace." + topic.name() + "." + event + ".v1", subject, time, traceparent);
    }

    public Headers headers() {
        var headers = new RecordHeaders();
        add(headers, "ce_specversion", "1.0");
        add(headers, "ce_id", id);
        add(headers, "ce_type", type);
        add(headers, "ce_source", SOURCE);
        add(headers, "ce_subject", subject);
        add(headers, "ce_time", Json.format(time));
        add(headers, "content-type", "application/json");
        add(headers, "traceparent", traceparent);
        return headers;
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
