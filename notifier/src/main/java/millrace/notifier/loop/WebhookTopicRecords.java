package millrace.notifier.loop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import millrace.contracts.Json;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.webhook.Exchange;
import millrace.webhook.Exchange.ExchangeTimings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the records of the public topics {@code webhook-attempts} and {@code webhook-dead-letters}. URLs are written
 * without their query, bodies without download links, answers without what opens one.
 */
final class WebhookTopicRecords {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookTopicRecords.class);
    private static final String LINK = "download_url";
    private static final UUID NO_REPORT = new UUID(0, 0);
    private static final String NO_TRACE = "00-00000000000000000000000000000000-0000000000000000-00";
    private static final Pattern SIGNATURE = Pattern.compile("signature=[^&\"\\\\\\s]*");

    private WebhookTopicRecords() {}

    /**
     * The record of an attempt that ended.
     *
     * @param attempt number of the attempt, from 1
     * @param held whether and until when its URL is held; null if it is not
     */
    static ProducerRecord<String, byte[]> attempt(
            LoopMessage.EndedAttempt ended,
            int attempt,
            WebhookAttempt.Outcome outcome,
            @Nullable Instant nextAttemptAt,
            EndpointState.@Nullable HeldUrl held) {
        String endpoint = ended.queue().key();
        Exchange exchange = ended.exchange();
        Deliver delivery = ended.delivery();
        boolean delivered = outcome == WebhookAttempt.Outcome.DELIVERED;
        var value = new WebhookAttempt(
                delivery.eventId(),
                delivery.accountId(),
                endpoint,
                WebhookEndpoint.withoutQuery(delivery.url()),
                delivery.reportId(),
                delivery.sequence(),
                attempt,
                outcome,
                exchange instanceof Exchange.Answered answered ? answered.status() : null,
                delivered ? null : exchange.sentence(),
                phase(exchange),
                ended.startedAt(),
                exchange.timings().total().toMillis(),
                phases(exchange.timings()),
                nextAttemptAt,
                ResponseExcerpt.of(exchange, delivery.body()),
                ended.queue().id(),
                held == null ? null : held.until(),
                held == null ? null : held.reason());
        return record(Topics.WEBHOOK_ATTEMPTS, endpoint, value, CloudEvent.of(value, delivery.traceparent()));
    }

    /** @param attempts number of attempts that were made */
    static ProducerRecord<String, byte[]> deadLetter(
            String endpoint, Deliver delivery, int attempts, String reason, Instant now) {
        var value = new WebhookDeadLetter(
                delivery.eventId(),
                delivery.accountId(),
                endpoint,
                WebhookEndpoint.withoutQuery(delivery.url()),
                delivery.reportId(),
                delivery.sequence(),
                attempts,
                reason,
                delivery.occurredAt(),
                now,
                withoutLink(delivery.body()),
                WebhookEndpoint.id(endpoint));
        return record(Topics.WEBHOOK_DEAD_LETTERS, endpoint, value, CloudEvent.of(value, delivery.traceparent()));
    }

    /** The dead letter of a record that cannot be decoded. */
    static ProducerRecord<String, byte[]> unreadable(
            ConsumerRecord<String, byte[]> record, RuntimeException error, Instant now) {
        String id = record.topic() + "-" + record.partition() + "-" + record.offset();
        String key = record.key() == null ? "" : record.key();
        byte[] value = record.value() == null ? new byte[0] : record.value();
        var delivery = new Deliver(
                id,
                key,
                "",
                NO_REPORT,
                0,
                Instant.ofEpochMilli(record.timestamp()),
                new String(value, StandardCharsets.UTF_8),
                NO_TRACE);
        return deadLetter(key, delivery, 0, "This delivery cannot be read: " + error.getMessage(), now);
    }

    /** The event, account and URL as {@code key=value}. The query of the URL may hold secrets and is left out. */
    static String forLog(Deliver delivery) {
        return "event=" + delivery.eventId() + " account=" + delivery.accountId() + " url="
                + WebhookEndpoint.withoutQuery(delivery.url());
    }

    /**
     * Removes the download link, which gives access to the report's file. If the body is not an event, the signature
     * of every link in it is replaced.
     */
    static String withoutLink(String body) {
        if (!body.contains(LINK)) {
            return body;
        }
        try {
            JsonNode event = Json.MAPPER.readTree(body);
            if (event.path("payload") instanceof ObjectNode payload && payload.remove(LINK) != null) {
                return Json.text(event);
            }
        } catch (JsonProcessingException e) {
            LOG.debug("dead letter body is not JSON error={}", e.getOriginalMessage());
        }
        return SIGNATURE.matcher(body).replaceAll("signature=removed");
    }

    private static @Nullable String phase(Exchange exchange) {
        return switch (exchange) {
            case Exchange.TimedOut timedOut -> timedOut.phase().key();
            case Exchange.Failed failed -> failed.phase().key();
            case Exchange.Answered _, Exchange.Blocked _ -> null;
        };
    }

    private static Map<String, Long> phases(ExchangeTimings timings) {
        Map<String, Long> millis = new LinkedHashMap<>();
        timings.phases().forEach((phase, time) -> millis.put(phase.key(), time.toMillis()));
        return millis;
    }

    private static <V> ProducerRecord<String, byte[]> record(Topic<V> topic, String key, V value, CloudEvent event) {
        return new ProducerRecord<>(topic.name(), null, key, topic.encode(value), event.headers());
    }
}
