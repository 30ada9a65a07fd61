package millrace.notifier.delivery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import millrace.contracts.delivery.EndpointState;
import org.jspecify.annotations.Nullable;

/**
 * The events, gone URLs and endpoint states that a former owner left in a partition. The newest record of each key
 * counts. Not thread-safe.
 */
public final class RestoredState {
    private final Map<String, Endpoint> endpoints = new HashMap<>();

    private static final class Endpoint {
        final EventTable waiting = new EventTable(EventTable.BY_ID);
        final Map<String, Long> gone = new HashMap<>(0);

        @Nullable
        EndpointState state;
    }

    public void waiting(String endpoint, HeldEvent event) {
        of(endpoint).waiting.put(event);
    }

    public void ended(String endpoint, String eventId) {
        of(endpoint).waiting.remove(HeldEvent.takenOver(HeldEvent.Id.parse(eventId), 0, 0, 0, 0, 0));
    }

    public void gone(String endpoint, String url, long since) {
        of(endpoint).gone.put(url, since);
    }

    public void reinstated(String endpoint, String url) {
        of(endpoint).gone.remove(url);
    }

    /** Sets the state of an endpoint; null removes it. */
    public void state(String endpoint, @Nullable EndpointState state) {
        of(endpoint).state = state;
    }

    /**
     * Adds everything to the queues.
     *
     * @param queues creates the queue of an endpoint, by its key
     */
    public void restore(Function<String, EndpointQueue> queues) {
        endpoints.forEach((key, left) -> {
            if (left.waiting.size() > 0 || !left.gone.isEmpty() || left.state != null) {
                restore(left, queues.apply(key));
            }
        });
        endpoints.clear();
    }

    private static void restore(Endpoint left, EndpointQueue queue) {
        List<HeldEvent> events = new ArrayList<>(left.waiting.size());
        left.waiting.forEach(events::add);
        // Events of a report wait for each other, so they are added by sequence, then by the time they occurred.
        events.sort(Comparator.comparingInt(HeldEvent::sequence).thenComparingLong(HeldEvent::occurredAt));
        events.forEach(queue::add);
        left.gone.forEach(queue::markGone);
        EndpointState state = left.state;
        if (state != null) {
            queue.history().restore(state);
            queue.flow().restore(state);
        }
    }

    private Endpoint of(String endpoint) {
        return endpoints.computeIfAbsent(endpoint, e -> new Endpoint());
    }
}
