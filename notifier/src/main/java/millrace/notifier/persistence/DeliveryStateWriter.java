package millrace.notifier.persistence;

import java.util.List;
import java.util.Objects;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.ownership.OwnedPartition;
import millrace.notifier.ownership.Ownership;

/**
 * Sees to it that an event that is not delivered is always somewhere in Kafka: the source keeps it while its offset is open
 * there, then the state topic does. For one thread.
 */
public final class DeliveryStateWriter {
    /** An event that is due sooner keeps what is to be sent in memory. */
    private static final long SOON_MILLIS = 2000;
    /** As long as no more events are held than this, all of them do. */
    private static final int MAX_EVENTS_WITH_PAYLOAD = 20_000;

    private final Ownership ownership;
    private final PendingWrites pendingWrites;

    public DeliveryStateWriter(Ownership ownership, PendingWrites pendingWrites) {
        this.ownership = ownership;
        this.pendingWrites = pendingWrites;
    }

    /** Puts into the state what only the source has, where its offset should not stay open for longer. */
    public void saveOverdue(long now) {
        ownership.partitions().values().forEach(partition -> partition
                .unsaved()
                .overdue(
                        now,
                        partition.offsets().next(),
                        (queue, event) -> save(queue, event, Objects.requireNonNull(event.delivery()))));
    }

    public void save(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        if (!event.saved()) {
            release(ownership.of(queue), event.sourceOffset());
        }
        event.markSaved();
        pendingWrites.save(queue, event, delivery);
    }

    /** These are in the state topic now; what is to be sent need not be in memory as well. */
    public void saved(List<TransactionWriter.Saved> committed, long now) {
        for (TransactionWriter.Saved saved : committed) {
            HeldEvent event = saved.event();
            event.savedAt(saved.offset());
            if (event.due() > now + SOON_MILLIS || ownership.held() > MAX_EVENTS_WITH_PAYLOAD) {
                event.dropPayload();
            }
        }
    }

    /** The event is delivered or given up: nobody need keep it. */
    public void ended(EndpointQueue queue, HeldEvent event) {
        if (event.saved()) {
            pendingWrites.remove(queue, event);
        } else {
            release(ownership.of(queue), event.sourceOffset());
        }
    }

    public void release(OwnedPartition partition, long offset) {
        partition.offsets().release(offset);
        pendingWrites.offsetsMoved();
    }
}
