package millrace.notifier.loop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Collects the records of the next transaction. Of several states with the same key only the last one is written. Not
 * thread-safe.
 */
public final class PendingWrites {
    private final SteadyClock clock;
    private Map<String, Write> states = new LinkedHashMap<>();
    private List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
    private boolean offsetsMoved;

    /**
     * A state record.
     *
     * @param event whose state it is; null where it is not of an event, or the event has ended
     */
    record Write(
            ProducerRecord<String, byte[]> record, @Nullable HeldEvent event) {}

    /** The records of one transaction. */
    public record Batch(List<Write> states, List<ProducerRecord<String, byte[]>> records) {}

    /** @param clock that events are due by */
    public PendingWrites(SteadyClock clock) {
        this.clock = clock;
    }

    void save(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        var state = new DeliveryState.Waiting(
                queue.key(),
                delivery,
                event.attempts(),
                clock.wall(event.due()),
                event.isResent() ? event.resentAfter() : null);
        put(queue.partition(), state.key(), Topics.DELIVERY_STATE.encode(state), event);
    }

    public void put(int partition, DeliveryState state) {
        put(partition, state.key(), Topics.DELIVERY_STATE.encode(state), null);
    }

    /** Deletes the saved state of the event. */
    void remove(EndpointQueue queue, HeldEvent event) {
        remove(queue.partition(), DeliveryState.Waiting.key(queue.key(), event.id()));
    }

    /**
     * Deletes a state.
     *
     * @param key {@link DeliveryState#key()}
     */
    public void remove(int partition, String key) {
        put(partition, key, null, null);
    }

    private void put(int partition, String key, byte @Nullable [] value, @Nullable HeldEvent event) {
        // An endpoint, and so its key, never changes its partition.
        states.put(key, new Write(new ProducerRecord<>(Topics.DELIVERY_STATE.name(), partition, key, value), event));
    }

    void publishState(int partition, EndpointState state) {
        records.add(new ProducerRecord<>(
                Topics.ENDPOINT_STATE.name(), partition, state.endpoint(), Topics.ENDPOINT_STATE.encode(state)));
    }

    public void forget(int partition, String endpoint) {
        records.add(new ProducerRecord<>(Topics.ENDPOINT_STATE.name(), partition, endpoint, null));
    }

    public void publish(ProducerRecord<String, byte[]> record) {
        records.add(record);
    }

    void offsetsMoved() {
        offsetsMoved = true;
    }

    public boolean isEmpty() {
        return states.isEmpty() && records.isEmpty() && !offsetsMoved;
    }

    /** Removes and returns all records. */
    public Batch drain() {
        var batch = new Batch(List.copyOf(states.values()), records);
        states = new LinkedHashMap<>();
        records = new ArrayList<>();
        offsetsMoved = false;
        return batch;
    }
}
