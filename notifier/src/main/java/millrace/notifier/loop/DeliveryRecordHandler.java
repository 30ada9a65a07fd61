package millrace.notifier.loop;

import java.time.Instant;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.EnableEndpoint;
import millrace.contracts.delivery.DeliveryCommand.EraseReport;
import millrace.contracts.delivery.DeliveryCommand.Reinstate;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.UrlPath;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the records of the source topic: events, resends, and requests to reinstate a URL or enable an endpoint. */
public final class DeliveryRecordHandler {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRecordHandler.class);

    private final DeliveryScheduler deliveries;
    private final Backlogs backlogs;
    private final DeliveryStateWriter stateWriter;
    private final EndpointStatePublisher states;
    private final PendingWrites pendingWrites;
    private final DeliveryContext context;

    public DeliveryRecordHandler(
            DeliveryScheduler deliveries,
            Backlogs backlogs,
            DeliveryStateWriter stateWriter,
            EndpointStatePublisher states,
            PendingWrites pendingWrites,
            DeliveryContext context) {
        this.deliveries = deliveries;
        this.backlogs = backlogs;
        this.stateWriter = stateWriter;
        this.states = states;
        this.pendingWrites = pendingWrites;
        this.context = context;
    }

    void take(ConsumerRecords<String, byte[]> records) {
        records.forEach(this::take);
        // Behind the last record there may be transaction markers. consumer.position() is not used: during a change
        // of leader it waits for the broker and may throw a WakeupException.
        records.nextOffsets().forEach((source, next) -> {
            OwnedPartition partition = deliveries.owned().get(source.partition());
            if (partition != null) {
                partition.offsets().advance(next.offset());
                deliveries.ownership().hasMoved(partition);
            }
        });
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        OwnedPartition partition = deliveries.owned().get(record.partition());
        if (partition == null || !partition.offsets().take(record.offset())) {
            return;
        }
        try {
            switch (Topics.DELIVERIES.decode(record.value())) {
                case Deliver delivery ->
                    arrived(
                            partition,
                            record,
                            HeldEvent.arrived(delivery, record.offset(), deliveries.now()),
                            delivery.occurredAt());
                case Resend resend ->
                    arrived(
                            partition,
                            record,
                            HeldEvent.resent(resend.delivery(), record.offset(), resend.attempts(), deliveries.now()),
                            resend.requestedAt());
                case Reinstate reinstate -> {
                    reinstate(partition.endpoint(record.key()), reinstate.url());
                    stateWriter.release(partition, record.offset());
                }
                case EnableEndpoint _ -> {
                    EndpointQueue queue = partition.endpoint(record.key());
                    queue.enable(deliveries.now());
                    backlogs.changed(queue);
                    queue.reinstateAll();
                    stateWriter.deleteForgotten(queue);
                    changed(queue);
                    stateWriter.release(partition, record.offset());
                }
                // Events that wait are sent: an event that was accepted is delivered or dead.
                case EraseReport _ -> stateWriter.release(partition, record.offset());
            }
        } catch (SerializationException e) {
            LOG.error(
                    "delivery unreadable, sent to the dead letters topic={} partition={} offset={}",
                    record.topic(),
                    record.partition(),
                    record.offset());
            pendingWrites.publish(
                    UnreadableDelivery.deadLetter(record, e, context.clock().wall()));
            stateWriter.release(partition, record.offset());
        }
    }

    private void arrived(
            OwnedPartition partition, ConsumerRecord<String, byte[]> record, HeldEvent event, Instant occurredAt) {
        long now = deliveries.now();
        EndpointQueue queue = partition.endpoint(record.key());
        if (queue.holds(event)) {
            if (event.isResent()) {
                queue.makeDue(event, now);
            }
            stateWriter.release(partition, record.offset());
        } else if (backlogs.leave(partition, queue, record.offset(), occurredAt)) {
            stateWriter.release(partition, record.offset());
        } else {
            queue.add(event);
            deliveries.ownership().oneMore(queue);
            stateWriter.arrived(partition, queue, event, now);
        }
        changed(queue);
    }

    private void changed(EndpointQueue queue) {
        deliveries.changed(queue);
        states.changed(queue);
    }

    private void reinstate(EndpointQueue queue, String url) {
        if (queue.reinstate(url)) {
            LOG.info("deliveries resumed url={}", UrlPath.withoutQuery(url));
            stateWriter.deleteForgotten(queue);
        }
        changed(queue);
    }
}
