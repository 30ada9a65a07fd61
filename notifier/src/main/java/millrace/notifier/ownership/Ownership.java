package millrace.notifier.ownership;

import java.util.HashMap;
import java.util.Map;
import millrace.notifier.delivery.EndpointQueue;

/** The partitions that this instance owns, and the number of their events. Not thread-safe. */
public final class Ownership {
    private final Map<Integer, OwnedPartition> owned = new HashMap<>();
    private int held;

    public Map<Integer, OwnedPartition> partitions() {
        return owned;
    }

    /** Number of events held for all partitions. */
    public int held() {
        return held;
    }

    public void add(OwnedPartition partition) {
        owned.put(partition.number(), partition);
        held += partition.held();
    }

    /** Removes a partition that this instance no longer owns. */
    public void drop(OwnedPartition partition) {
        owned.remove(partition.number());
        held -= partition.held();
        partition.drop();
    }

    public void oneMore() {
        held++;
    }

    public void oneLess() {
        held--;
    }

    public OwnedPartition of(EndpointQueue queue) {
        OwnedPartition owner = owned.get(queue.partition());
        if (owner == null) {
            throw new IllegalStateException("partition " + queue.partition() + " is not owned any more");
        }
        return owner;
    }
}
