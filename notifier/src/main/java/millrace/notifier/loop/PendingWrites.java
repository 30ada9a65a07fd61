package millrace.notifier.loop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.UnsavedEvents;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Collects the records of the next transaction. Every undelivered event is in Kafka: in the source topic while its
 * offset is open, afterwards in the state topic. Of several states with the same key only the last one is written. Not
 * thread-safe.
 */
final class PendingWrites {
    /** An event that is due sooner keeps its payload in memory. */
    private static final long SOON_MILLIS = 2000;
    /** Up to this number of held events, all of them keep their payload in memory. */
    private static final int MAX_EVENTS_WITH_PAYLOAD = 20_000;

    private final Ownership ownership;
    private final SteadyClock clock;
    private Map<String, Write> states = new LinkedHashMap<>();
    private List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
    private boolean offsetsMoved;

    /**
     * A state record.
     *
     * @param event whose state it is; null if it is not of an event, or the event has ended
     */
    record Write(
            ProducerRecord<String, byte[]> record, @Nullable HeldEvent event) {}

    /** The records of one transaction. */
    record Batch(List<Write> states, List<ProducerRecord<String, byte[]>> records) {}

    /** @param clock that events are due by */
    PendingWrites(Ownership ownership, SteadyClock clock) {
        this.ownership = ownership;
        this.clock = clock;
    }

    /** To be called with each event that was read from the source, and is not saved. */
    void arrived(OwnedPartition partition, EndpointQueue queue, HeldEvent event, long now) {
        partition.unsaved().add(queue, event, now);
        ownership.unsaved().add(partition);
    }

    /** When {@link #saveOverdue} may have something to do; {@link Long#MAX_VALUE} if there is nothing. */
    long nextDue() {
        return ownership.unsaved().stream()
                .mapToLong(partition -> partition.unsaved().nextDue())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Saves the events whose source offset should not stay open any longer. */
    void saveOverdue(long now) {
        ownership.unsaved().removeIf(partition -> {
            UnsavedEvents unsaved = partition.unsaved();
            long next = partition.offsets().next();
            for (var due = unsaved.takeDue(now, next); due != null; due = unsaved.takeDue(now, next)) {
                saveUnsaved(due.queue(), due.event());
            }
            return unsaved.nextDue() == Long.MAX_VALUE;
        });
    }

    /** Saves all events of the endpoint. */
    void saveAll(EndpointQueue queue) {
        ownership.of(queue).unsaved().of(queue).forEach(event -> saveUnsaved(queue, event));
    }

    private void saveUnsaved(EndpointQueue queue, HeldEvent event) {
        save(queue, event, Objects.requireNonNull(event.delivery()));
    }

    /** Writes the state of an event, and releases its source offset. */
    void save(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        if (!event.saved()) {
            release(ownership.of(queue), event.sourceOffset());
        }
        event.markSaved();
        var state = new DeliveryState.Waiting(
                queue.key(),
                delivery,
                event.attempts(),
                clock.wall(event.due()),
                event.isResent() ? event.resentAfter() : null);
        put(queue.partition(), state.key(), Topics.DELIVERY_STATE.encode(state), event);
    }

    /**
     * To be called after a commit. Sets the offsets of the saved states, and drops payloads that need not stay in
     * memory.
     */
    void saved(List<TransactionWriter.Saved> committed, long now) {
        for (TransactionWriter.Saved saved : committed) {
            HeldEvent event = saved.event();
            event.savedAt(saved.offset());
            if (event.due() > now + SOON_MILLIS || ownership.held() > MAX_EVENTS_WITH_PAYLOAD) {
                event.dropPayload();
            }
        }
    }

    /** Deletes the state of an event that is delivered or given up, or releases its source offset. */
    void ended(EndpointQueue queue, HeldEvent event) {
        if (event.saved()) {
            remove(queue.partition(), DeliveryState.Waiting.key(queue.key(), event.id()));
        } else {
            release(ownership.of(queue), event.sourceOffset());
        }
    }

    void release(OwnedPartition partition, long offset) {
        partition.offsets().release(offset);
        ownership.hasMoved(partition);
        offsetsMoved = true;
    }

    /** Deletes the states of URLs that the endpoint's account does not remember any more. */
    void deleteForgotten(EndpointQueue queue) {
        queue.takeDeleted().forEach(key -> remove(queue.partition(), key));
    }

    void put(int partition, DeliveryState state) {
        put(partition, state.key(), Topics.DELIVERY_STATE.encode(state), null);
    }

    /**
     * Deletes a state.
     *
     * @param key {@link DeliveryState#key()}
     */
    void remove(int partition, String key) {
        put(partition, key, null, null);
    }

    private void put(int partition, String key, byte @Nullable [] value, @Nullable HeldEvent event) {
        // An endpoint, and so its key, never changes its partition.
        states.put(key, new Write(new ProducerRecord<>(Topics.DELIVERY_STATE.name(), partition, key, value), event));
    }

    void publishState(int partition, EndpointState state) {
        publish(new ProducerRecord<>(
                Topics.ENDPOINT_STATE.name(), partition, state.endpoint(), Topics.ENDPOINT_STATE.encode(state)));
    }

    /** Deletes the state of an endpoint. */
    void forget(int partition, String endpoint) {
        publish(new ProducerRecord<>(Topics.ENDPOINT_STATE.name(), partition, endpoint, null));
    }

    void publish(ProducerRecord<String, byte[]> record) {
        records.add(record);
    }

    boolean isEmpty() {
        return states.isEmpty() && records.isEmpty() && !offsetsMoved;
    }

    /** Removes and returns all records. */
    Batch drain() {
        var batch = new Batch(List.copyOf(states.values()), records);
        states = new LinkedHashMap<>();
        records = new ArrayList<>();
        offsetsMoved = false;
        return batch;
    }
}
