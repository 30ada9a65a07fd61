package millrace.notifier;

import java.util.Collection;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;

/** What other threads tell the loop. */
sealed interface Mail permits EndedAttempt, Mail.Fetched, Mail.TakenOver, Mail.Ownerless, Mail.Failed {
    /** What is to be sent has been read from the state topic. */
    record Fetched(EndpointQueue queue, HeldEvent event, Deliver delivery) implements Mail {}

    /**
     * What former owners left has been read.
     *
     * @param request that asked for it
     */
    record TakenOver(int request, Collection<OwnedPartition> partitions) implements Mail {}

    /** A partition belongs to no member of the group. */
    record Ownerless() implements Mail {}

    /** A thread that this life of the notifier needs has ended: the life is over, and where it is no error of Kafka the notifier too. */
    record Failed(Throwable error) implements Mail {}
}
