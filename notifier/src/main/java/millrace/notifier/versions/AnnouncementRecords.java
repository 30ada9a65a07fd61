package millrace.notifier.versions;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.Topics;
import millrace.notifier.versions.Subscribers.Subscriber;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Builds the records of an announcement. */
final class AnnouncementRecords {
    private AnnouncementRecords() {}

    /** The body of a webhook. */
    private record Notification(String eventType, DataVersionAvailable payload) {}

    /** @param partition that the dataset has in all topics */
    static ProducerRecord<String, byte[]> announcement(DataVersionAvailable available, int partition) {
        var topic = Topics.DATASET_VERSIONS;
        return new ProducerRecord<>(
                topic.name(),
                partition,
                available.dataset(),
                topic.encode(available),
                CloudEvent.of(available, null).headers());
    }

    /**
     * The event for one webhook. Where those of a report have its id, this has one of subscription and dataset: so the
     * announcements about a dataset have numbers and are first sent in their order, too.
     */
    static ProducerRecord<String, byte[]> delivery(DataVersionAvailable available, Subscriber subscriber) {
        UUID id = UUID.nameUUIDFromBytes(
                (subscriber.subscriptionId() + "/" + available.dataset()).getBytes(StandardCharsets.UTF_8));
        var command = new Deliver(
                id + "." + available.sequence(),
                subscriber.accountId(),
                subscriber.url(),
                id,
                available.sequence(),
                available.occurredAt(),
                Json.text(new Notification(DataVersionAvailable.EVENT_TYPE, available)),
                CloudEvent.of(available, null).traceparent());
        return new ProducerRecord<>(Topics.DELIVERIES.name(), command.endpoint(), Topics.DELIVERIES.encode(command));
    }
}
