package millrace.notifier.endpoint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import org.jspecify.annotations.Nullable;

/**
 * The events, backlogs, gone URLs and endpoint states that a former owner left in a partition. The newest record of each key
 * counts. Not thread-safe.
 */
public final class RestoredState {
    /** Most surplus URLs that are deleted after a take-over, each with up to 2 KB. The next one finds the others. */
    static final int MOST_SURPLUS = 10_000;

    private final Map<String, Endpoint> endpoints = new HashMap<>();
    /** By account and key, the newest of the URLs that are gone. */
    private final Map<String, SequencedMap<String, Gone>> gone = new HashMap<>();
    /** Keys of the others. */
    private final Set<String> surplus = new LinkedHashSet<>();

    private static final class Endpoint {
        final EventTable waiting = new EventTable(EventTable.BY_ID);

        @Nullable
        Backlog backlog;

        @Nullable
        EndpointState state;
    }

    /** @param since milliseconds since the epoch */
    private record Backlog(long from, long since) {}

    /** @param since milliseconds since the epoch */
    private record Gone(String endpoint, String url, long since) {}

    public void waiting(String endpoint, HeldEvent event) {
        of(endpoint).waiting.put(event);
    }

    public void ended(String endpoint, String eventId) {
        of(endpoint).waiting.remove(HeldEvent.takenOver(HeldEvent.Id.parse(eventId), "", 0, 0, 0, 0, 0));
    }

    public void gone(String endpoint, String url, long since) {
        SequencedMap<String, Gone> ofAccount =
                gone.computeIfAbsent(EndpointQueue.account(endpoint), account -> new LinkedHashMap<>());
        String key = DeliveryState.Gone.key(endpoint, url);
        surplus.remove(key);
        ofAccount.putLast(key, new Gone(endpoint, url, since));
        if (ofAccount.size() > AccountUrls.MOST) {
            String oldest = ofAccount.pollFirstEntry().getKey();
            if (surplus.size() < MOST_SURPLUS) {
                surplus.add(oldest);
            }
        }
    }

    public void reinstated(String endpoint, String url) {
        String key = DeliveryState.Gone.key(endpoint, url);
        surplus.remove(key);
        gone.getOrDefault(EndpointQueue.account(endpoint), new LinkedHashMap<>())
                .remove(key);
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
            if (left.waiting.size() > 0 || left.backlog != null || left.state != null) {
                restore(left, end, queues.apply(key));
            }
        });
        endpoints.clear();
        for (SequencedMap<String, Gone> ofAccount : gone.values()) {
            ofAccount.values().forEach(url -> queues.apply(url.endpoint()).markGone(url.url(), url.since()));
        }
        gone.clear();
    }

    /** Keys of states that are to be deleted, since an account has too many URLs that are gone. */
    public Collection<String> surplus() {
        return surplus;
    }

    private static void restore(Endpoint left, long end, EndpointQueue queue) {
        List<HeldEvent> events = new ArrayList<>(left.waiting.size());
        left.waiting.forEach(events::add);
        // Events of a report wait for each other, so they are added by sequence, then by the time they occurred.
        events.sort(Comparator.comparingInt(HeldEvent::sequence).thenComparingLong(HeldEvent::occurredAt));
        events.forEach(queue::add);
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
