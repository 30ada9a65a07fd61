package millrace.notifier.delivery;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The events of one endpoint. What is due first goes first; at most so many are in flight; a report's next event waits for
 * the end of the first attempt of the one before it, and not for its retries. For one thread.
 */
public final class EndpointQueue {
    private static final Comparator<HeldEvent> FIRST_DUE_FIRST =
            Comparator.comparingLong(HeldEvent::due).thenComparingLong(HeldEvent::order);

    private final String key;
    private final int partition;
    private final int maxInFlight;
    private final Map<String, HeldEvent> held = new HashMap<>();
    private final PriorityQueue<HeldEvent> waiting = new PriorityQueue<>(1, FIRST_DUE_FIRST);
    /** By report whose first attempt of some event has not ended: the events after it. */
    private final Map<UUID, Deque<HeldEvent>> behind = new HashMap<>();

    private final Map<String, Long> gone = new HashMap<>();
    private int inFlight;
    private long arrivals;
    private boolean dropped;
    /** Owned by {@link Turns}. */
    long timer = Long.MAX_VALUE;

    boolean inTurn;

    /**
     * @param key of the endpoint
     * @param partition of the topics that its events are in
     */
    public EndpointQueue(String key, int partition, int maxInFlight) {
        this.key = key;
        this.partition = partition;
        this.maxInFlight = maxInFlight;
    }

    public String key() {
        return key;
    }

    public int partition() {
        return partition;
    }

    /** False where an event with this id is held already; nothing changes then. */
    public boolean add(HeldEvent event) {
        if (held.putIfAbsent(event.id(), event) != null) {
            return false;
        }
        event.queuedAs(arrivals++);
        if (event.attempts() > 0) {
            waiting.add(event);
            return true;
        }
        Deque<HeldEvent> followers = behind.get(event.report());
        if (followers == null) {
            behind.put(event.report(), new ArrayDeque<>(0));
            waiting.add(event);
        } else {
            followers.add(event);
        }
        return true;
    }

    /** An event that waits for another attempt is due at once; one that is in flight, or behind another, is left alone. */
    public void hurry(String eventId, long now) {
        HeldEvent event = held.get(eventId);
        if (event != null && waiting.remove(event)) {
            event.hurry(now);
            waiting.add(event);
        }
    }

    /** The event whose turn it is, in flight from now on; null where none is due or the cap is reached. */
    public @Nullable HeldEvent next(long now) {
        if (nextDue() > now) {
            return null;
        }
        inFlight++;
        return waiting.remove();
    }

    /** The event in flight is to be attempted again. */
    public void retryAt(HeldEvent event, long due) {
        inFlight--;
        boolean first = event.attempts() == 0;
        event.attemptFailed(due);
        waiting.add(event);
        if (first) {
            letNextOfReportGo(event);
        }
    }

    /** The event in flight is delivered or given up. */
    public void ended(HeldEvent event) {
        inFlight--;
        held.remove(event.id());
        event.end();
        if (event.attempts() == 0) {
            letNextOfReportGo(event);
        }
    }

    private void letNextOfReportGo(HeldEvent event) {
        Deque<HeldEvent> followers = behind.get(event.report());
        HeldEvent follower = followers == null ? null : followers.poll();
        if (follower == null) {
            behind.remove(event.report());
        } else {
            waiting.add(follower);
        }
    }

    /** When something may start; {@link Long#MAX_VALUE} where nothing waits or the cap is reached. */
    public long nextDue() {
        HeldEvent head = waiting.peek();
        return head == null || inFlight >= maxInFlight ? Long.MAX_VALUE : head.due();
    }

    /** The URL answered 410. */
    public void markGone(String url, long since) {
        gone.put(url, since);
    }

    /** False where the URL was not gone. */
    public boolean reinstate(String url) {
        return gone.remove(url) != null;
    }

    /** The URLs that answered 410. */
    public Set<String> gone() {
        return Set.copyOf(gone.keySet());
    }

    public boolean isGone(String url) {
        return gone.containsKey(url);
    }

    /** Events held, in flight or waiting. */
    public int size() {
        return held.size();
    }

    /** Whether there is nothing to remember. */
    public boolean idle() {
        return held.isEmpty() && gone.isEmpty();
    }

    /** Somebody else owns the endpoint now. */
    public void drop() {
        dropped = true;
    }

    public boolean dropped() {
        return dropped;
    }
}
