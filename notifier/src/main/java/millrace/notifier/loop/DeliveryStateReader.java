package millrace.notifier.loop;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.RestoredState;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Reads records of the state topic into {@link RestoredState}. A start reads millions of records, so the parser takes
 * only the fields that are kept in memory and skips the payload, which is most of a record.
 */
final class DeliveryStateReader {
    private static final String GONE = "|gone";
    private static final String BEHIND = "|behind";

    private DeliveryStateReader() {}

    /** The fields of a waiting event, a backlog or a gone URL, in the order in which they are read. */
    private static final class Fields {
        String type = "";
        String endpoint = "";
        String eventId = "";
        String reportId = "";
        String occurredAt = "";
        String nextAttemptAt = "";
        String url = "";
        String since = "";
        long from;
        int sequence;
        int attempts;
        int resentAfter = HeldEvent.NOT_RESENT;
    }

    /**
     * @param clock that the events are to be due by
     * @throws SerializationException if the record is not a delivery state
     */
    static void read(ConsumerRecord<String, byte[]> record, RestoredState restored, SteadyClock clock) {
        if (record.value() == null) {
            ended(record.key(), restored);
            return;
        }
        Fields fields = new Fields();
        try (JsonParser json = Json.MAPPER.createParser(record.value())) {
            while (json.nextToken() != null) {
                if (json.currentToken().isScalarValue() && json.currentName() != null) {
                    take(json, fields);
                }
            }
            keep(record, fields, restored, clock);
        } catch (IOException | java.time.DateTimeException | IllegalArgumentException e) {
            throw new SerializationException("not a message of topic " + Topics.DELIVERY_STATE.name(), e);
        }
    }

    private static void take(JsonParser json, Fields fields) throws IOException {
        switch (json.currentName()) {
            case "type" ->
                fields.type = fields.type.isEmpty() ? json.getText() : fields.type; // the outer "endpoint" comes first
            case "endpoint" -> fields.endpoint = json.getText();
            case "event_id" -> fields.eventId = json.getText();
            case "report_id" -> fields.reportId = json.getText();
            case "occurred_at" -> fields.occurredAt = json.getText();
            case "next_attempt_at" -> fields.nextAttemptAt = json.getText();
            case "url" -> fields.url = json.getText();
            case "since" -> fields.since = json.getText();
            case "from" -> fields.from = json.getLongValue();
            case "sequence" -> fields.sequence = json.getIntValue();
            case "attempts" -> fields.attempts = json.getIntValue();
            case "resent_after" ->
                fields.resentAfter =
                        json.currentToken() == JsonToken.VALUE_NULL ? HeldEvent.NOT_RESENT : json.getIntValue();
            default -> {}
        }
    }

    private static void keep(
            ConsumerRecord<String, byte[]> record, Fields fields, RestoredState restored, SteadyClock clock) {
        switch (fields.type) {
            case "waiting" ->
                restored.waiting(
                        fields.endpoint,
                        HeldEvent.takenOver(
                                new HeldEvent.Id(fields.eventId, UUID.fromString(fields.reportId), fields.sequence),
                                fields.url,
                                millis(fields.occurredAt),
                                fields.attempts,
                                fields.resentAfter,
                                millis(fields.nextAttemptAt) + clock.fromStored(record.timestamp()),
                                record.offset()));
            case "behind" -> restored.behind(fields.endpoint, fields.from, millis(fields.since));
            case "gone" -> restored.gone(fields.endpoint, fields.url, millis(fields.since));
            case String other -> throw new IllegalArgumentException("type " + other);
        }
    }

    /**
     * Handles a tombstone, whose key is {@code {endpoint}|{event_id}}, {@code {endpoint}|behind|} or {@code
     * {endpoint}|gone|{url}}.
     */
    private static void ended(String key, RestoredState restored) {
        int bar = key.lastIndexOf('|');
        if (bar < 0) {
            return;
        }
        String before = key.substring(0, bar);
        String last = key.substring(bar + 1);
        if (before.endsWith(GONE)) {
            restored.reinstated(before.substring(0, before.length() - GONE.length()), last);
        } else if (last.isEmpty() && before.endsWith(BEHIND)) {
            restored.caughtUp(before.substring(0, before.length() - BEHIND.length()));
        } else {
            restored.ended(before, last);
        }
    }

    private static long millis(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }
}
