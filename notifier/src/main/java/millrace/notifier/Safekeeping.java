package millrace.notifier;

import java.util.List;
import java.util.Objects;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;

/**
 * Sees to it that an event that is not delivered is always somewhere in Kafka: the source keeps it while its offset is open
 * there, then the state topic does. For one thread.
 */
final class Safekeeping {
    /** An event that is due sooner keeps what is to be sent in memory. */
    private static final long SOON_MILLIS = 2000;
    /** As long as no more events are held than this, all of them do. */
    private static final int FEW = 20_000;

    private final Ownership ownership;
    private final Outbox outbox;

    Safekeeping(Ownership ownership, Outbox outbox) {
        this.ownership = ownership;
        this.outbox = outbox;
    }

    /** Puts into the state what only the source has, where its offset should not stay open for longer. */
    void saveOverdue(long now) {
        ownership.partitions().values().forEach(partition -> partition
                .unsaved()
                .overdue(
                        now,
                        partition.offsets().next(),
                        (queue, event) -> save(queue, event, Objects.requireNonNull(event.delivery()))));
    }

    void save(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        if (!event.saved()) {
            release(ownership.of(queue), event.sourceOffset());
        }
        event.markSaved();
        outbox.save(queue, event, delivery);
    }

    /** These are in the state topic now; what is to be sent need not be in memory as well. */
    void saved(List<Transactions.Saved> committed, long now) {
        for (Transactions.Saved saved : committed) {
            HeldEvent event = saved.event();
            event.savedAt(saved.offset());
            if (event.due() > now + SOON_MILLIS || ownership.held() > FEW) {
                event.putAway();
            }
        }
    }

    /** The event is delivered or given up: nobody need keep it. */
    void ended(EndpointQueue queue, HeldEvent event) {
        if (event.saved()) {
            outbox.remove(queue, event);
        } else {
            release(ownership.of(queue), event.sourceOffset());
        }
    }

    void release(OwnedPartition partition, long offset) {
        partition.offsets().release(offset);
        outbox.offsetsMoved();
    }
}
