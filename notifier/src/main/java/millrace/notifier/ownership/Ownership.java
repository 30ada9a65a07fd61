package millrace.notifier.ownership;

import java.util.HashMap;
import java.util.Map;
import millrace.notifier.delivery.EndpointQueue;

/** The partitions that this instance owns, and the events that are held for them. For one thread. */
public final class Ownership {
    private final Map<Integer, OwnedPartition> owned = new HashMap<>();
    private int held;

    public Map<Integer, OwnedPartition> partitions() {
        return owned;
    }

    /** Events that are not delivered yet. */
    public int held() {
        return held;
    }

    public void add(OwnedPartition partition) {
        owned.put(partition.number(), partition);
        held += partition.held();
    }

    /** Somebody else owns it now, or nobody. */
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
