package millrace.gateway.readmodel;

import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Commands that were folded when Kafka acknowledged them, so that they need not be decoded when they are read. */
public final class AlreadyFoldedCommands {
    /** By partition. */
    private final Map<Integer, NavigableSet<Long>> offsets = new ConcurrentHashMap<>();

    public void add(int partition, long offset) {
        offsets.computeIfAbsent(partition, p -> new ConcurrentSkipListSet<>()).add(offset);
    }

    /** Whether the one at the offset was, which is forgotten, as are earlier ones: a partition is read in its order. */
    boolean take(int partition, long offset) {
        NavigableSet<Long> ahead = offsets.get(partition);
        if (ahead == null || ahead.isEmpty()) {
            return false;
        }
        boolean taken = ahead.remove(offset);
        ahead.headSet(offset).clear();
        return taken;
    }
}
