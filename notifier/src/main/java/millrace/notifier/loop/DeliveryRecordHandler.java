package millrace.notifier.loop;

import java.time.Instant;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.EnableEndpoint;
import millrace.contracts.delivery.DeliveryCommand.EraseReport;
import millrace.contracts.delivery.DeliveryCommand.Reinstate;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the records of the source topic: events, resends, and requests to reinstate a URL or enable an endpoint. */
final class DeliveryRecordHandler {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRecordHandler.class);

    private final Ownership ownership;
    private final Deliveries deliveries;
    private final Backlogs backlogs;
    private final PendingWrites pendingWrites;
    private final SteadyClock clock;

    DeliveryRecordHandler(
            Ownership ownership,
            Deliveries deliveries,
            Backlogs backlogs,
            PendingWrites pendingWrites,
            SteadyClock clock) {
        this.ownership = ownership;
        this.deliveries = deliveries;
        this.backlogs = backlogs;
        this.pendingWrites = pendingWrites;
        this.clock = clock;
    }

    void take(ConsumerRecords<String, byte[]> records) {
        records.forEach(this::take);
        // Behind the last record there may be transaction markers. consumer.position() is not used: during a change
        // of leader it waits for the broker and may throw a WakeupException.
        records.nextOffsets().forEach((source, next) -> {
            OwnedPartition partition = ownership.partitions().get(source.partition());
            if (partition != null) {
                partition.offsets().advance(next.offset());
                ownership.hasMoved(partition);
            }
        });
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        OwnedPartition partition = ownership.partitions().get(record.partition());
        if (partition == null || !partition.offsets().take(record.offset())) {
            return;
        }
        try {
            switch (Topics.DELIVERIES.decode(record.value())) {
                case Deliver delivery ->
                    arrived(
                            partition,
                            record,
                            HeldEvent.arrived(delivery, record.offset(), clock.millis()),
                            delivery.occurredAt());
                case Resend resend ->
                    arrived(
                            partition,
                            record,
                            HeldEvent.resent(resend.delivery(), record.offset(), resend.attempts(), clock.millis()),
                            resend.requestedAt());
                case Reinstate reinstate -> {
                    reinstate(partition.endpoint(record.key()), reinstate.url());
                    pendingWrites.release(partition, record.offset());
                }
                case EnableEndpoint _ -> {
                    EndpointQueue queue = partition.endpoint(record.key());
                    queue.enable(clock.millis());
                    backlogs.changed(queue);
                    queue.reinstateAll();
                    pendingWrites.deleteForgotten(queue);
                    deliveries.changed(queue);
                    pendingWrites.release(partition, record.offset());
                }
                // Events that wait are sent: an event that was accepted is delivered or dead.
                case EraseReport _ -> pendingWrites.release(partition, record.offset());
            }
        } catch (SerializationException e) {
            LOG.error(
                    "delivery unreadable, sent to the dead letters topic={} partition={} offset={}",
                    record.topic(),
                    record.partition(),
                    record.offset());
            pendingWrites.publish(WebhookTopicRecords.unreadable(record, e, clock.wall()));
            pendingWrites.release(partition, record.offset());
        }
    }

    private void arrived(
            OwnedPartition partition, ConsumerRecord<String, byte[]> record, HeldEvent event, Instant occurredAt) {
        long now = clock.millis();
        EndpointQueue queue = partition.endpoint(record.key());
        if (queue.holds(event)) {
            if (event.isResent()) {
                queue.makeDue(event, now);
            }
            pendingWrites.release(partition, record.offset());
        } else if (backlogs.leave(queue, record.offset(), occurredAt)) {
            pendingWrites.release(partition, record.offset());
        } else {
            queue.add(event);
            ownership.oneMore(queue);
            pendingWrites.arrived(partition, queue, event, now);
        }
        deliveries.changed(queue);
    }

    private void reinstate(EndpointQueue queue, String url) {
        if (queue.reinstate(url)) {
            LOG.info("deliveries resumed url={}", WebhookEndpoint.withoutQuery(url));
            pendingWrites.deleteForgotten(queue);
        }
        deliveries.changed(queue);
    }
}
