package millrace.notifier.loop;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.WindowRules;

/** The partitions that this instance owns, and how many events it has in memory. Not thread-safe. */
final class Ownership {
    /** Endpoints of an account with events that are tried again. */
    static final int MOST_ENDPOINTS = 10_000;

    private final Map<Integer, OwnedPartition> owned = new HashMap<>();
    private final Map<String, Count> accounts = new HashMap<>();
    private final Count all = new Count();
    private final Set<OwnedPartition> moved = new LinkedHashSet<>();
    private final Set<OwnedPartition> unsaved = new LinkedHashSet<>();

    /** Events in memory, and the endpoints that they are of. */
    private static final class Count {
        private int events;
        private int endpoints;
    }

    Map<Integer, OwnedPartition> partitions() {
        return owned;
    }

    /** Number of events held for all partitions. */
    int held() {
        return all.events;
    }

    /** Number of events held for the endpoint's account and for all. */
    WindowRules.Held held(EndpointQueue queue) {
        Count ofAccount = accounts.getOrDefault(queue.account(), new Count());
        return new WindowRules.Held(ofAccount.events, ofAccount.endpoints, all.events, all.endpoints);
    }

    /** Whether events of so many endpoints of the account wait that no other endpoint's events are tried again. */
    boolean crowded(EndpointQueue queue) {
        return held(queue).endpointsOfAccount() > MOST_ENDPOINTS;
    }

    void add(OwnedPartition partition) {
        owned.put(partition.number(), partition);
        partition.queues().forEach(queue -> count(queue, queue.size(), queue.size() > 0 ? 1 : 0));
    }

    /** Removes a partition that this instance no longer owns. */
    void drop(OwnedPartition partition) {
        owned.remove(partition.number());
        moved.remove(partition);
        unsaved.remove(partition);
        partition.queues().forEach(queue -> count(queue, -queue.size(), queue.size() > 0 ? -1 : 0));
        partition.drop();
    }

    /** To be called after offsets of the partition were taken or released. */
    void hasMoved(OwnedPartition partition) {
        moved.add(partition);
    }

    /** The partitions whose offsets have moved since {@link #takeMoved} was called. */
    Set<OwnedPartition> moved() {
        return Collections.unmodifiableSet(moved);
    }

    /** Returns the partitions whose offsets have moved since the last call. */
    List<OwnedPartition> takeMoved() {
        List<OwnedPartition> taken = List.copyOf(moved);
        moved.clear();
        return taken;
    }

    /** The partitions that may have events which are not saved. The caller adds them, and removes those without. */
    Set<OwnedPartition> unsaved() {
        return unsaved;
    }

    /** To be called after an event was added to the queue. */
    void oneMore(EndpointQueue queue) {
        count(queue, 1, queue.size() == 1 ? 1 : 0);
    }

    /** To be called after an event of the queue has ended. */
    void oneLess(EndpointQueue queue) {
        count(queue, -1, queue.size() == 0 ? -1 : 0);
    }

    private void count(EndpointQueue queue, int events, int endpoints) {
        if (events == 0) {
            return;
        }
        all.events += events;
        all.endpoints += endpoints;
        Count ofAccount = accounts.computeIfAbsent(queue.account(), account -> new Count());
        ofAccount.events += events;
        ofAccount.endpoints += endpoints;
        if (ofAccount.events == 0) {
            accounts.remove(queue.account());
        }
    }

    OwnedPartition of(EndpointQueue queue) {
        OwnedPartition owner = owned.get(queue.partition());
        if (owner == null) {
            throw new IllegalStateException("partition " + queue.partition() + " is not owned any more");
        }
        return owner;
    }
}
