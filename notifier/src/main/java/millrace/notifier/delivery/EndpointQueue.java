package millrace.notifier.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import millrace.notifier.delivery.flow.EndpointFlow;
import org.jspecify.annotations.Nullable;

/**
 * The events of one endpoint. What is due first goes first, as {@link EndpointFlow} lets it; a report's next event waits for the end
 * of the first attempt of the one before it, and not for its retries. For one thread.
 */
public final class EndpointQueue {
    private final String key;
    private final int partition;
    private final EndpointFlow flow;
    private final EndpointHistory history = new EndpointHistory();
    private final EventTable held = new EventTable(EventTable.BY_ID);
    private final DueEventHeap waiting = new DueEventHeap();
    /** The last in line of each report whose first attempt of some event has not ended. */
    private final EventTable lastOfReport = new EventTable(EventTable.BY_REPORT);

    private final Map<String, Long> gone = new HashMap<>(0);
    private int inFlight;
    private int arrivals;
    private boolean dropped;
    private long oldest = Long.MAX_VALUE;
    private boolean oldestKnown = true;
    /** Owned by {@link EndpointTurns}. */
    EndpointTurns.@Nullable Alarm alarm;

    boolean inTurn;

    /**
     * @param key of the endpoint
     * @param partition of the topics that its events are in
     */
    public EndpointQueue(String key, int partition, EndpointFlow flow) {
        this.key = key;
        this.partition = partition;
        this.flow = flow;
    }

    public String key() {
        return key;
    }

    public int partition() {
        return partition;
    }

    public EndpointFlow flow() {
        return flow;
    }

    public EndpointHistory history() {
        return history;
    }

    /** False where an event with this id is held already; nothing changes then. */
    public boolean add(HeldEvent event) {
        if (held.find(event) != null) {
            return false;
        }
        held.put(event);
        oldest = Math.min(oldest, event.occurredAt());
        event.queuedAs(arrivals++);
        if (event.attempts() > 0) {
            waiting.add(event);
            return true;
        }
        HeldEvent last = lastOfReport.put(event);
        if (last == null) {
            waiting.add(event);
        } else {
            last.followedBy(event);
        }
        return true;
    }

    /**
     * The event with this id that waits for another attempt is due at once; one that is in flight, or behind another, is left
     * alone.
     */
    public void makeDue(HeldEvent like, long now) {
        HeldEvent event = held.find(like);
        if (event != null && waiting.remove(event)) {
            event.makeDue(now);
            waiting.add(event);
        }
    }

    /** The event whose turn it is, in flight from now on; null where none may start. */
    public @Nullable HeldEvent next(long now) {
        HeldEvent head = waiting.peek();
        if (head == null || nextDue() > now) {
            return null;
        }
        waiting.remove(head);
        inFlight++;
        flow.started(now);
        return head;
    }

    /** Events that occurred before then, were not resent and wait; from now on they are in flight, to be given up. */
    public List<HeldEvent> takeExpired(long before, int atMost) {
        List<HeldEvent> expired = new ArrayList<>();
        if (oldest() >= before) {
            return expired;
        }
        waiting.forEach(event -> {
            if (event.occurredAt() < before && !event.isResent() && expired.size() < atMost) {
                expired.add(event);
            }
        });
        expired.forEach(waiting::remove);
        inFlight += expired.size();
        return expired;
    }

    /** The event in flight is to be attempted again. */
    public void retryAt(HeldEvent event, long due) {
        inFlight--;
        boolean first = event.attempts() == 0;
        event.attemptFailed(due);
        waiting.add(event);
        if (first) {
            releaseNextOfReport(event);
        }
    }

    /** The event in flight is delivered or given up. */
    public void ended(HeldEvent event) {
        inFlight--;
        held.remove(event);
        oldestKnown &= event.occurredAt() > oldest;
        event.end();
        if (event.attempts() == 0) {
            releaseNextOfReport(event);
        }
    }

    private void releaseNextOfReport(HeldEvent event) {
        HeldEvent follower = event.releaseFollower();
        if (follower != null) {
            waiting.add(follower);
        } else if (lastOfReport.find(event) == event) {
            lastOfReport.remove(event);
        }
    }

    /** When something may start; {@link Long#MAX_VALUE} where nothing waits or the cap is reached. */
    public long nextDue() {
        HeldEvent head = waiting.peek();
        return head == null || inFlight >= flow.cap() ? Long.MAX_VALUE : Math.max(head.due(), flow.nextStart());
    }

    /** The URL answered 410. */
    public void markGone(String url, long since) {
        gone.put(url, since);
    }

    /** False where the URL was not gone. */
    public boolean reinstate(String url) {
        return gone.remove(url) != null;
    }

    /** The URLs that answered 410, and since when; sorted, and a copy. */
    public SortedMap<String, Long> gone() {
        return new TreeMap<>(gone);
    }

    public boolean isGone(String url) {
        return gone.containsKey(url);
    }

    /** Events held, in flight or waiting. */
    public int size() {
        return held.size();
    }

    public int inFlight() {
        return inFlight;
    }

    /** When the oldest event that is held occurred; {@link Long#MAX_VALUE}: none is. */
    public long oldest() {
        if (!oldestKnown) {
            oldest = Long.MAX_VALUE;
            held.forEach(event -> oldest = Math.min(oldest, event.occurredAt()));
            oldestKnown = true;
        }
        return oldest;
    }

    /** Whether there is nothing to remember. */
    public boolean idle() {
        return held.size() == 0 && gone.isEmpty();
    }

    /** Somebody else owns the endpoint now. */
    public void drop() {
        dropped = true;
    }

    public boolean dropped() {
        return dropped;
    }
}
