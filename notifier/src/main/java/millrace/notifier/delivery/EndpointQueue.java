package millrace.notifier.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.notifier.delivery.flow.EndpointFlow;
import org.jspecify.annotations.Nullable;

/**
 * The events of one endpoint, ordered by the time at which they are due and limited by {@link EndpointFlow}. The next
 * event of a report waits until the first attempt of the previous one has ended, but not for its retries. Not
 * thread-safe.
 */
public final class EndpointQueue {
    private final String key;
    private final int partition;
    private final EndpointFlow flow;
    private @Nullable String id;
    private final EndpointHistory history = new EndpointHistory();
    private final EventTable held = new EventTable(EventTable.BY_ID);
    private final DueEventHeap waiting = new DueEventHeap();
    /** By report, the last event of those that wait for each other. */
    private final EventTable lastOfReport = new EventTable(EventTable.BY_REPORT);

    private final Map<String, Long> gone = new HashMap<>(0);
    private @Nullable EndpointBacklog backlog;
    private int inFlight;
    private int unattempted;
    private int arrivals;
    private boolean dropped;
    private long oldest = Long.MAX_VALUE;
    private boolean oldestKnown = true;
    /** Used by {@link EndpointTurns} only. */
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

    /** Its id in public records; {@link WebhookEndpoint#id} computes a hash. */
    public String id() {
        if (id == null) {
            id = WebhookEndpoint.id(key);
        }
        return id;
    }

    /** The account of the endpoint; empty where the key does not say. */
    public String account() {
        return key.substring(0, Math.max(0, key.lastIndexOf('|')));
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

    /** Returns false, without a change, where an event with this id is held already. */
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
        unattempted++;
        HeldEvent last = lastOfReport.put(event);
        if (last == null) {
            waiting.add(event);
        } else {
            last.followedBy(event);
        }
        return true;
    }

    /** Whether an event with this id is held. */
    public boolean holds(HeldEvent like) {
        return held.find(like) != null;
    }

    /**
     * Makes the event with the same id due at once where it waits for another attempt. An event that is in flight, or
     * waits for another event, stays as it is.
     */
    public void makeDue(HeldEvent like, long now) {
        HeldEvent event = held.find(like);
        if (event != null && waiting.remove(event)) {
            event.makeDue(now);
            waiting.add(event);
        }
    }

    /** Takes the next event that may start; from now on it is in flight. Null where none may start. */
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

    /**
     * Takes waiting events that occurred before {@code before} and were not resent. They are in flight from now on; the
     * caller gives them up.
     */
    public List<HeldEvent> takeExpired(long before, int atMost) {
        List<HeldEvent> expired = new ArrayList<>();
        if (oldestHeld() >= before) {
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

    /** Puts an event that is in flight back, for another attempt. */
    public void retryAt(HeldEvent event, long due) {
        inFlight--;
        boolean first = event.attempts() == 0;
        event.attemptFailed(due);
        waiting.add(event);
        if (first) {
            unattempted--;
            releaseNextOfReport(event);
        }
    }

    /** Removes an event that is in flight, since it is delivered or given up. */
    public void ended(HeldEvent event) {
        inFlight--;
        held.remove(event);
        oldestKnown &= event.occurredAt() > oldest;
        event.end();
        if (event.attempts() == 0) {
            unattempted--;
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

    /** The time at which an attempt may start; {@link Long#MAX_VALUE} where no event waits or the cap is reached. */
    public long nextDue() {
        HeldEvent head = waiting.peek();
        return head == null || inFlight >= flow.cap() ? Long.MAX_VALUE : Math.max(head.due(), flow.nextStart());
    }

    /** Remembers that the URL answered 410 Gone. */
    public void markGone(String url, long since) {
        gone.put(url, since);
    }

    /** Returns false where the URL was not gone. */
    public boolean reinstate(String url) {
        return gone.remove(url) != null;
    }

    /** A sorted copy of the URLs that answered 410 Gone, with the time of that answer. */
    public SortedMap<String, Long> gone() {
        return new TreeMap<>(gone);
    }

    public boolean isGone(String url) {
        return gone.containsKey(url);
    }

    /** What waits in the source topic only; null where all events are held. */
    public @Nullable EndpointBacklog backlog() {
        return backlog;
    }

    /**
     * From now on no event of the endpoint is taken from the source, beginning with the one at this offset.
     *
     * @param since when that one occurred, in milliseconds since the epoch
     */
    public EndpointBacklog fallBehind(long offset, long since) {
        var begun = new EndpointBacklog(offset, offset - 1, since, 0);
        backlog = begun;
        return begun;
    }

    /** Nothing is left in the source topic; events are taken again as they arrive. */
    public void caughtUp() {
        backlog = null;
    }

    void restore(EndpointBacklog left) {
        backlog = left;
    }

    /** Number of events held, waiting or in flight. */
    public int size() {
        return held.size();
    }

    /** Number of held events whose first attempt has not ended. */
    public int unattempted() {
        return unattempted;
    }

    /** Number of events that are neither delivered nor given up, held or not. */
    public long waiting() {
        return held.size() + (backlog == null ? 0 : backlog.events());
    }

    public int inFlight() {
        return inFlight;
    }

    /** When the oldest event occurred, held or not; {@link Long#MAX_VALUE} where there is none. */
    public long oldest() {
        return backlog == null ? oldestHeld() : Math.min(oldestHeld(), backlog.since());
    }

    private long oldestHeld() {
        if (!oldestKnown) {
            oldest = Long.MAX_VALUE;
            held.forEach(event -> oldest = Math.min(oldest, event.occurredAt()));
            oldestKnown = true;
        }
        return oldest;
    }

    /** Whether the queue has neither events nor state, and can be forgotten. */
    public boolean idle() {
        return held.size() == 0 && gone.isEmpty() && backlog == null;
    }

    /** Whether the breaker is closed and no attempt has failed since the last one that succeeded. */
    public boolean works() {
        return !flow.breaker().open() && flow.breaker().failures() == 0 && !history.failedLast();
    }

    /** Drops all events, since another instance owns the endpoint now. */
    public void drop() {
        dropped = true;
    }

    public boolean dropped() {
        return dropped;
    }
}
