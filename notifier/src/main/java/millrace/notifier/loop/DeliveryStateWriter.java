package millrace.notifier.loop;

import java.util.List;
import java.util.Objects;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;

/**
 * Keeps every undelivered event in Kafka: in the source topic while its offset is open, afterwards in the state topic.
 * Not thread-safe.
 */
public final class DeliveryStateWriter {
    /** An event that is due sooner keeps its payload in memory. */
    private static final long SOON_MILLIS = 2000;
    /** Up to this number of held events, all of them keep their payload in memory. */
    private static final int MAX_EVENTS_WITH_PAYLOAD = 20_000;

    private final Ownership ownership;
    private final PendingWrites pendingWrites;

    public DeliveryStateWriter(Ownership ownership, PendingWrites pendingWrites) {
        this.ownership = ownership;
        this.pendingWrites = pendingWrites;
    }

    /** To be called with each event that was read from the source, and is not saved. */
    public void arrived(OwnedPartition partition, EndpointQueue queue, HeldEvent event, long now) {
        partition.unsaved().add(queue, event, now);
        ownership.unsaved().add(partition);
    }

    /** When {@link #saveOverdue} may have something to do; {@link Long#MAX_VALUE} where there is nothing. */
    public long nextDue() {
        return ownership.unsaved().stream()
                .mapToLong(partition -> partition.unsaved().nextDue())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Saves the events whose source offset should not stay open any longer. */
    public void saveOverdue(long now) {
        ownership.unsaved().removeIf(partition -> {
            partition
                    .unsaved()
                    .overdue(
                            now,
                            partition.offsets().next(),
                            (queue, event) -> save(queue, event, Objects.requireNonNull(event.delivery())));
            return partition.unsaved().nextDue() == Long.MAX_VALUE;
        });
    }

    public void save(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        if (!event.saved()) {
            release(ownership.of(queue), event.sourceOffset());
        }
        event.markSaved();
        pendingWrites.save(queue, event, delivery);
    }

    /**
     * To be called after a commit. Sets the offsets of the saved states, and drops payloads that need not stay in
     * memory.
     */
    public void saved(List<TransactionWriter.Saved> committed, long now) {
        for (TransactionWriter.Saved saved : committed) {
            HeldEvent event = saved.event();
            event.savedAt(saved.offset());
            if (event.due() > now + SOON_MILLIS || ownership.held() > MAX_EVENTS_WITH_PAYLOAD) {
                event.dropPayload();
            }
        }
    }

    /** Deletes the state of an event that is delivered or given up, and releases its source offset. */
    public void ended(EndpointQueue queue, HeldEvent event) {
        if (event.saved()) {
            pendingWrites.remove(queue, event);
        } else {
            release(ownership.of(queue), event.sourceOffset());
        }
    }

    /** Deletes the states of URLs that the endpoint's account does not remember any more. */
    public void deleteForgotten(EndpointQueue queue) {
        queue.takeDeleted().forEach(key -> pendingWrites.remove(queue.partition(), key));
    }

    public void release(OwnedPartition partition, long offset) {
        partition.offsets().release(offset);
        ownership.hasMoved(partition);
        pendingWrites.offsetsMoved();
    }
}
