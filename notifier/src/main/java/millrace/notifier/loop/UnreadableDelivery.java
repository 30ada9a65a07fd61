package millrace.notifier.loop;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Builds the dead letter of a record that cannot be decoded. */
public final class UnreadableDelivery {
    private static final UUID NO_REPORT = new UUID(0, 0);
    private static final String NO_TRACE = "00-00000000000000000000000000000000-0000000000000000-00";

    private UnreadableDelivery() {}

    public static ProducerRecord<String, byte[]> deadLetter(
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
        return WebhookTopicRecords.deadLetter(
                key, delivery, 0, "This delivery cannot be read: " + error.getMessage(), now);
    }
}
