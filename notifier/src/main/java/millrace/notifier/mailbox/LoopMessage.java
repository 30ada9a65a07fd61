package millrace.notifier.mailbox;

import java.util.Collection;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.ownership.OwnedPartition;

/** What other threads tell the loop. */
public sealed interface LoopMessage
        permits EndedAttempt, LoopMessage.Fetched, LoopMessage.TakenOver, LoopMessage.Ownerless, LoopMessage.Failed {
    /** What is to be sent has been read from the state topic. */
    record Fetched(EndpointQueue queue, HeldEvent event, Deliver delivery) implements LoopMessage {}

    /**
     * What former owners left has been read.
     *
     * @param request that asked for it
     */
    record TakenOver(int request, Collection<OwnedPartition> partitions) implements LoopMessage {}

    /** A partition belongs to no member of the group. */
    record Ownerless() implements LoopMessage {}

    /** A thread that this run of the notifier needs has ended: the run is over, and where it is no error of Kafka the notifier too. */
    record Failed(Throwable error) implements LoopMessage {}
}
