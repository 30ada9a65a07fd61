package millrace.notifier.loop;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.webhook.Exchange;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A message of another thread to the delivery loop. */
sealed interface LoopMessage {
    /**
     * An attempt has ended.
     *
     * @param delivery the payload that was sent
     * @param slow whether the attempt was in the slow lane
     * @param began time of the loop's clock when the attempt began
     * @param startedAt time of the wall clock then
     */
    record EndedAttempt(
            EndpointQueue queue,
            HeldEvent event,
            Deliver delivery,
            boolean slow,
            long began,
            Instant startedAt,
            Exchange exchange)
            implements LoopMessage {}

    /** The payload of an event has been read from the state topic. */
    record Fetched(EndpointQueue queue, HeldEvent event, Deliver delivery) implements LoopMessage {}

    /**
     * A part of a partition of the source has been read for endpoints with backlogs.
     *
     * @param records of these endpoints, in the order of their offsets
     * @param reached by endpoint, the offset up to which {@code records} has all that it asked for
     */
    record BacklogRead(
            OwnedPartition partition, List<ConsumerRecord<String, byte[]>> records, Map<String, Long> reached)
            implements LoopMessage {}

    /**
     * The state of partitions has been restored.
     *
     * @param request number that the loop passed to the take-over
     */
    record TakenOver(int request, Collection<OwnedPartition> partitions) implements LoopMessage {}

    /** A partition is assigned to no member of the group. */
    record Ownerless() implements LoopMessage {}

    /**
     * A thread that this run needs has failed. The run ends; unless the error is a {@link
     * org.apache.kafka.common.KafkaException}, the notifier ends too.
     */
    record Failed(Throwable error) implements LoopMessage {}
}
