package millrace.notifier.mailbox;

import java.util.Collection;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.ownership.OwnedPartition;

/** A message of another thread to the delivery loop. */
public sealed interface LoopMessage
        permits EndedAttempt, LoopMessage.Fetched, LoopMessage.TakenOver, LoopMessage.Ownerless, LoopMessage.Failed {
    /** The payload of an event has been read from the state topic. */
    record Fetched(EndpointQueue queue, HeldEvent event, Deliver delivery) implements LoopMessage {}

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
