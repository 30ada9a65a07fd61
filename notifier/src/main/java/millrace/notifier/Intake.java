package millrace.notifier;

import java.util.Collection;
import java.util.List;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.contracts.DeliveryCommand.EnableEndpoint;
import millrace.contracts.DeliveryCommand.Reinstate;
import millrace.contracts.DeliveryCommand.Resend;
import millrace.contracts.DeliveryState;
import millrace.contracts.Topics;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes in the records of the source: events, and what people ask for. */
final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    private final Deliveries deliveries;
    private final Safekeeping safekeeping;
    private final EndpointStates states;
    private final Outbox outbox;
    private final Surroundings surroundings;

    Intake(
            Deliveries deliveries,
            Safekeeping safekeeping,
            EndpointStates states,
            Outbox outbox,
            Surroundings surroundings) {
        this.deliveries = deliveries;
        this.safekeeping = safekeeping;
        this.states = states;
        this.outbox = outbox;
        this.surroundings = surroundings;
    }

    void take(ConsumerRecords<String, byte[]> records) {
        records.forEach(this::take);
        // Beyond the last record there may be markers of transactions. The consumer is not asked for its position:
        // while a
        // partition gets another leader, that waits for the broker and may be ended by a wakeup.
        records.nextOffsets().forEach((source, next) -> {
            OwnedPartition partition = deliveries.owned().get(source.partition());
            if (partition != null) {
                partition.offsets().advance(next.offset());
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
                    arrived(partition, record, HeldEvent.arrived(delivery, record.offset(), deliveries.now()));
                case Resend resend ->
                    arrived(
                            partition,
                            record,
                            HeldEvent.resent(resend.delivery(), record.offset(), resend.attempts(), deliveries.now()));
                case Reinstate reinstate -> {
                    reinstate(partition.endpoint(record.key()), List.of(reinstate.url()));
                    safekeeping.release(partition, record.offset());
                }
                case EnableEndpoint _ -> {
                    EndpointQueue queue = partition.endpoint(record.key());
                    queue.flow().enable(deliveries.now());
                    reinstate(queue, queue.gone().keySet());
                    safekeeping.release(partition, record.offset());
                }
            }
        } catch (SerializationException e) {
            LOG.error(
                    "dead letter for {}-{} offset {}: it cannot be read",
                    record.topic(),
                    record.partition(),
                    record.offset());
            outbox.publish(Unreadable.deadLetter(record, e, surroundings.clock().instant()));
            safekeeping.release(partition, record.offset());
        }
    }

    private void arrived(OwnedPartition partition, ConsumerRecord<String, byte[]> record, HeldEvent event) {
        long now = deliveries.now();
        EndpointQueue queue = partition.endpoint(record.key());
        if (queue.add(event)) {
            deliveries.ownership().oneMore();
            partition.unsaved().add(queue, event, now);
        } else {
            if (event.isResent()) {
                queue.hurry(event, now);
            }
            safekeeping.release(partition, record.offset());
        }
        changed(queue);
    }

    private void changed(EndpointQueue queue) {
        deliveries.changed(queue);
        states.changed(queue);
    }

    private void reinstate(EndpointQueue queue, Collection<String> urls) {
        for (String url : urls) {
            if (queue.reinstate(url)) {
                LOG.info("deliveries to {} go on", Announcements.withoutQuery(url));
                outbox.remove(queue.partition(), DeliveryState.Gone.key(queue.key(), url));
            }
        }
        changed(queue);
    }
}
