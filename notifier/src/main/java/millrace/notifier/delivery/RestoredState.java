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
 * The events, backlogs, gone URLs and endpoint states that a former owner left in a partition. The newest record of each key
 * counts. Not thread-safe.
 */
public final class RestoredState {
    private final Map<String, Endpoint> endpoints = new HashMap<>();

    private static final class Endpoint {
        final EventTable waiting = new EventTable(EventTable.BY_ID);
        final Map<String, Long> gone = new HashMap<>(0);

        @Nullable
        Backlog backlog;

        @Nullable
        EndpointState state;
    }

    /** @param since milliseconds since the epoch */
    private record Backlog(long from, long since) {}

    public void waiting(String endpoint, HeldEvent event) {
        of(endpoint).waiting.put(event);
    }

    public void ended(String endpoint, String eventId) {
        of(endpoint).waiting.remove(HeldEvent.takenOver(HeldEvent.Id.parse(eventId), "", 0, 0, 0, 0, 0));
    }

    public void gone(String endpoint, String url, long since) {
        of(endpoint).gone.put(url, since);
    }

    public void reinstated(String endpoint, String url) {
        of(endpoint).gone.remove(url);
    }

    /**
     * Sets where the backlog of an endpoint begins.
     *
     * @param from offset in the source
     * @param since no event in it occurred before, in milliseconds since the epoch
     */
    public void behind(String endpoint, long from, long since) {
        of(endpoint).backlog = new Backlog(from, since);
    }

    public void caughtUp(String endpoint) {
        of(endpoint).backlog = null;
    }

    /** Sets the state of an endpoint; null removes it. */
    public void state(String endpoint, @Nullable EndpointState state) {
        of(endpoint).state = state;
    }

    /**
     * Adds everything to the queues.
     *
     * @param end offset in the source behind the last record that the former owner has read
     * @param queues creates the queue of an endpoint, by its key
     */
    public void restore(long end, Function<String, EndpointQueue> queues) {
        endpoints.forEach((key, left) -> {
            if (left.waiting.size() > 0 || !left.gone.isEmpty() || left.backlog != null || left.state != null) {
                restore(left, end, queues.apply(key));
            }
        });
        endpoints.clear();
    }

    private static void restore(Endpoint left, long end, EndpointQueue queue) {
        List<HeldEvent> events = new ArrayList<>(left.waiting.size());
        left.waiting.forEach(events::add);
        // Events of a report wait for each other, so they are added by sequence, then by the time they occurred.
        events.sort(Comparator.comparingInt(HeldEvent::sequence).thenComparingLong(HeldEvent::occurredAt));
        events.forEach(queue::add);
        left.gone.forEach(queue::markGone);
        EndpointState state = left.state;
        if (state != null) {
            queue.restore(state);
        }
        Backlog backlog = left.backlog;
        if (backlog != null) {
            // Of its number only the sum with the held events was written.
            long number = state == null ? 0 : Math.max(0, state.waiting() - queue.size());
            queue.restore(new EndpointBacklog(backlog.from(), end - 1, backlog.since(), number));
        }
    }

    private Endpoint of(String endpoint) {
        return endpoints.computeIfAbsent(endpoint, e -> new Endpoint());
    }
}
